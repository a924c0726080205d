/* A model that tells stories, in the page: the block of the chapter `stories`, with weights of 8 bits. */
"use strict";

{
  const { set, html } = figures;
  const WIDTH = 300, LINE = 17, LINES = 17, MOST = 170, HEADS = 4, KEY_HEADS = 2, EPSILON = 1e-5, END = 0;
  const WORD = /<\w+>|[A-Za-z]+|'s|[.,?“”:-]/g;
  const PRONOUNS = ["she", "he", "her", "him", "his"];
  const BEGINNING = "Once upon a time there was a";

  /** A matrix, row after row, from its bytes and a scale for each row. */
  function matrix({ bytes, scales }) {
    const numbers = figures.bytes(bytes), width = numbers.length / scales.length;
    return { width, numbers: Float32Array.from(numbers, (number, i) => (number - 128) * scales[Math.floor(i / width)]) };
  }

  /** A matrix with a vector. Plain loops: this is where the time goes. */
  function times({ width, numbers }, vector) {
    const result = new Float64Array(numbers.length / width);
    for (let row = 0, at = 0; row < result.length; row++) {
      let sum = 0;
      for (let i = 0; i < width; i++, at++) sum += numbers[at] * vector[i];
      result[row] = sum;
    }
    return result;
  }

  const dot = (one, other) => one.reduce((sum, number, i) => sum + number * other[i], 0);
  const plus = (one, other) => one.map((number, i) => number + other[i]);

  function normed(vector, weight) {
    const size = Math.sqrt(dot(vector, vector) / vector.length + EPSILON);
    return vector.map((number, i) => (number / size) * weight.numbers[i]);
  }

  /** Neighbouring pairs rotated by the position. */
  function rotated(vector, position) {
    return vector.map((number, i) => {
      const angle = position * 10000 ** (-(i - (i % 2)) / vector.length), other = vector[i ^ 1];
      return number * Math.cos(angle) + (i % 2 ? 1 : -1) * other * Math.sin(angle);
    });
  }

  const heads = (vector, count) => {
    const width = vector.length / count;
    return Array.from({ length: count }, (_, head) => vector.slice(head * width, (head + 1) * width));
  };

  class Model {
    constructor({ words, weights }) {
      this.words = words;
      this.places = new Map(words.map((word, place) => [word, place]));
      this.weights = Object.fromEntries(Object.entries(weights).map(([name, stored]) => [name, matrix(stored)]));
      this.blocks = Object.keys(weights).filter((name) => name.endsWith("Wq.weight")).length;
    }

    /** A reader of one text, token by token; it gives the logits and what each head attends to. */
    reader() {
      const cache = Array.from({ length: this.blocks }, () => ({ keys: [], values: [] }));
      return (token) => {
        const position = cache[0].keys.length, seen = [];
        const { width, numbers } = this.weights["embedding.weight"];
        let x = Float64Array.from(numbers.subarray(token * width, (token + 1) * width));
        cache.forEach(({ keys, values }, layer) => {
          const of = (name) => this.weights[`blocks.${layer}.${name}.weight`];
          const first = normed(x, of("norm1"));
          keys.push(heads(times(of("Wk"), first), KEY_HEADS).map((key) => rotated(key, position)));
          values.push(heads(times(of("Wv"), first), KEY_HEADS));
          const found = heads(times(of("Wq"), first), HEADS).map((query, head) => {
            const shared = Math.floor((head * KEY_HEADS) / HEADS), turned = rotated(query, position);
            const weights = figures.softmax(keys.map((key) => dot(turned, key[shared]) / Math.sqrt(query.length)));
            seen.push(weights);
            return values.reduce(
              (sum, value, at) => sum.map((number, i) => number + weights[at] * value[shared][i]),
              query.map(() => 0),
            );
          });
          x = plus(x, times(of("Wo"), found.flatMap((mixed) => [...mixed])));
          const second = normed(x, of("norm2")), up = times(of("up"), second);
          const open = times(of("gate"), second).map((gate, i) => (gate / (1 + Math.exp(-gate))) * up[i]);
          x = plus(x, times(of("down"), open));
        });
        return { logits: [...times(this.weights["embedding.weight"], normed(x, this.weights["norm.weight"]))], seen };
      };
    }

    /** The tokens of a beginning, or the first word that the model does not know. */
    tokens(text) {
      const found = (text.replace(/"([^"]*)("|$)/g, "“$1”").match(WORD) ?? []).map((word) => [word, this.places.get(word)]);
      const unknown = found.find(([, place]) => place === undefined);
      return unknown ? { unknown: unknown[0] } : { tokens: found.map(([, place]) => place) };
    }
  }

  /** One token, drawn by such logits; `random` gives numbers from 0 to 1. */
  function draw_token(logits, temperature, random) {
    if (temperature === 0) return logits.indexOf(Math.max(...logits));
    const shares = figures.softmax(logits.map((logit) => logit / temperature));
    let left = random();
    const at = shares.findIndex((share) => (left -= share) < 0);
    return at < 0 ? shares.length - 1 : at;
  }

  /** Numbers from 0 to 1, another series for each seed. */
  function series(seed) {
    let state = (seed * 2654435761) >>> 0;
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  }

  const joins = (word, before) => /^([.,?:”]|'s|-)$/.test(word) || before === "“" || before === "-" || before === undefined;

  function draw(stage) {
    const data = figures.data.story, model = new Model(data);
    const state = { temperature: 0.7, seed: 1, head: data.head, asks: 0, told: [] };
    const input = html("input", { "aria-label": "The beginning of the story", size: 30, class: "begin" });
    input.value = BEGINNING;
    input.addEventListener("change", tell);
    stage.controls.append(html("label", { class: "slider" }, html("span", { text: "begin" }), input));
    const degree = { min: 0, max: 1.5, step: 0.1, value: state.temperature, write: (value) => value.toFixed(1) };
    stage.slider("temperature", degree, (value) => ((state.temperature = value), tell()));
    const name = (head) => `layer ${Math.floor(head / HEADS)}, head ${head % HEADS}`;
    const head = { min: 0, max: model.blocks * HEADS - 1, step: 1, value: state.head, write: name };
    stage.slider("look with", head, (value) => ((state.head = value), show()));
    stage.button("Tell another", () => ((state.seed += 1), tell()));
    stage.button("Word before", () => ask(state.asks - 1));
    stage.button("Word after", () => ask(state.asks + 1));

    /** Let the model continue the beginning, until it ends the story. */
    function tell() {
      const { tokens, unknown } = model.tokens(input.value);
      if (unknown) return stage.say(`The model does not know “${unknown}”. It knows ${model.words.length} words, and capitals count.`);
      const read = model.reader(), random = series(state.seed);
      let { logits } = read(END);
      state.told = [];
      while (state.told.length < MOST) {
        const token = tokens[state.told.length] ?? draw_token(logits, state.temperature, random);
        if (token === END) break;
        const { logits: after, seen } = read(token);
        state.told.push({ word: model.words[token], seen, given: state.told.length < tokens.length });
        logits = after;
      }
      lay();
      const pronoun = state.told.findIndex(({ word }) => PRONOUNS.includes(word));
      return ask(pronoun < 0 ? state.told.length - 1 : pronoun - 1); // who is meant is looked up before it is written
    }

    /** Put the words on lines. */
    function lay() {
      stage.drawing.replaceChildren();
      let x = 4, y = LINE, before;
      for (const told of state.told) {
        const looked = stage.add("rect", { height: LINE - 3, rx: 2, class: "lit", opacity: 0 });
        const shown = stage.add("text", { class: told.given ? "small name" : "small", text: told.word });
        const width = shown.getComputedTextLength(), space = joins(told.word, before) ? 0 : 4;
        if (x + space + width > WIDTH - 4) [x, y] = [4, y + LINE];
        else x += space;
        set(shown, { x, y });
        set(looked, { x: x - 1, y: y - LINE + 5, width: width + 2 });
        const at = state.told.indexOf(told);
        shown.addEventListener("click", () => ask(at));
        Object.assign(told, { looked, shown });
        [x, before] = [x + width, told.word];
      }
    }

    function ask(at) {
      state.asks = figures.clamp(at, 0, state.told.length - 1);
      show();
    }

    /** Shade each word by the weight that the chosen one gives it; the first weight is that of the start. */
    function show() {
      const asks = state.told[state.asks];
      if (!asks) return;
      const weights = asks.seen[state.head].slice(1);
      state.told.forEach(({ looked, shown, given }, i) => {
        set(looked, { opacity: (weights[i] ?? 0).toFixed(3) });
        set(shown, { class: i === state.asks ? "small lit" : given ? "small name" : "small" });
      });
      const most = weights.indexOf(Math.max(...weights));
      const share = weights[most].toFixed(2), start = asks.seen[state.head][0].toFixed(2);
      stage.say(`In ${name(state.head)}, “${asks.word}” looks most at “${state.told[most].word}” (${share}); the start of the story has ${start}.`);
    }
    tell();
  }

  figures.add("story", {
    title: "Tell me a story.",
    does: "Write a beginning with words that the model knows; click a word to see where it looks.",
    width: WIDTH,
    height: LINE * LINES,
    Model,
    draw_token,
    series,
    draw,
  });
}
