/* One row of an attention map as lines: what the word that asks takes from each of the others. */
"use strict";

{
  const { set } = figures;
  const ROW = 26, TOP = 40, FROM = 110, TO = 236;

  // What a page can name: one text, or several to choose from, which are of one length so that nothing jumps.
  const EXAMPLES = {
    // The chapter `all_queries`: made-up vectors of three numbers, scored by their dot products.
    journey: [
      {
        keys: ["Your", "journey", "starts", "with", "one", "step"],
        vectors: [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1], [0.05, 0.8, 0.55]],
        asks: 4,
      },
    ],
    // The start page: the words' weights in layer 3, head 1 of all-MiniLM-L6-v2 (Apache 2.0), as `pretrained` computes them.
    pronouns: [
      {
        keys: "[start] the student read the book because she liked it [end]".split(" "),
        asks: 7,
        weights: [
          [0.293, 0.208, 0.446, 0.020, 0.001, 0.001, 0.011, 0.010, 0.000, 0.000, 0.010],
          [0.974, 0.005, 0.004, 0.001, 0.005, 0.000, 0.004, 0.000, 0.001, 0.001, 0.004],
          [0.331, 0.001, 0.000, 0.004, 0.433, 0.155, 0.001, 0.000, 0.001, 0.028, 0.045],
          [0.500, 0.001, 0.008, 0.002, 0.052, 0.376, 0.009, 0.001, 0.000, 0.009, 0.043],
          [0.929, 0.000, 0.000, 0.001, 0.032, 0.014, 0.001, 0.000, 0.000, 0.012, 0.010],
          [0.351, 0.174, 0.033, 0.187, 0.040, 0.010, 0.036, 0.020, 0.100, 0.024, 0.024],
          [0.516, 0.038, 0.421, 0.002, 0.002, 0.001, 0.002, 0.001, 0.012, 0.000, 0.005],
          [0.176, 0.000, 0.000, 0.005, 0.163, 0.300, 0.001, 0.001, 0.003, 0.337, 0.014],
          [0.252, 0.000, 0.000, 0.001, 0.033, 0.646, 0.003, 0.000, 0.001, 0.016, 0.047],
        ],
      },
      {
        keys: "[start] the cat drank the milk because it was thirsty [end]".split(" "),
        asks: 7,
        weights: [
          [0.133, 0.181, 0.622, 0.033, 0.002, 0.002, 0.012, 0.005, 0.001, 0.002, 0.007],
          [0.881, 0.072, 0.015, 0.006, 0.009, 0.001, 0.003, 0.004, 0.002, 0.002, 0.005],
          [0.569, 0.012, 0.004, 0.014, 0.122, 0.202, 0.002, 0.008, 0.001, 0.018, 0.048],
          [0.502, 0.006, 0.054, 0.010, 0.067, 0.269, 0.011, 0.008, 0.005, 0.022, 0.046],
          [0.952, 0.005, 0.003, 0.001, 0.009, 0.008, 0.001, 0.009, 0.001, 0.002, 0.008],
          [0.188, 0.162, 0.061, 0.202, 0.048, 0.021, 0.014, 0.010, 0.030, 0.244, 0.019],
          [0.100, 0.021, 0.462, 0.027, 0.020, 0.216, 0.003, 0.027, 0.003, 0.093, 0.027],
          [0.275, 0.064, 0.091, 0.070, 0.020, 0.034, 0.005, 0.032, 0.011, 0.385, 0.013],
          [0.919, 0.005, 0.003, 0.001, 0.012, 0.022, 0.000, 0.007, 0.002, 0.019, 0.010],
        ],
      },
      {
        keys: "[start] the dog ate the bone because it was hungry [end]".split(" "),
        asks: 7,
        weights: [
          [0.422, 0.136, 0.316, 0.038, 0.003, 0.028, 0.013, 0.020, 0.002, 0.002, 0.019],
          [0.921, 0.043, 0.006, 0.007, 0.003, 0.002, 0.002, 0.011, 0.001, 0.002, 0.003],
          [0.563, 0.003, 0.004, 0.009, 0.074, 0.272, 0.002, 0.013, 0.001, 0.026, 0.034],
          [0.248, 0.001, 0.019, 0.004, 0.015, 0.670, 0.004, 0.005, 0.001, 0.007, 0.024],
          [0.929, 0.007, 0.004, 0.005, 0.005, 0.011, 0.003, 0.025, 0.001, 0.005, 0.004],
          [0.275, 0.120, 0.039, 0.071, 0.044, 0.043, 0.013, 0.017, 0.028, 0.321, 0.029],
          [0.111, 0.022, 0.292, 0.012, 0.019, 0.444, 0.002, 0.046, 0.002, 0.024, 0.027],
          [0.380, 0.076, 0.067, 0.038, 0.022, 0.068, 0.004, 0.061, 0.010, 0.257, 0.017],
          [0.939, 0.002, 0.001, 0.001, 0.005, 0.029, 0.000, 0.005, 0.001, 0.012, 0.006],
        ],
      },
    ],
  };

  /** The rows of the map: those of a trained head as they are, others masked, scaled, and through softmax. */
  function attention({ vectors, weights }, { causal = false, scaled = true, times = 1 } = {}) {
    if (weights) return weights;
    const factor = times ** 2 / (scaled ? Math.sqrt(vectors[0].length) : 1);
    return vectors.map((query, i) => {
      const scores = vectors.map((key) => factor * query.reduce((sum, number, at) => sum + number * key[at], 0));
      const seen = scores.map((score, j) => (causal && j > i ? -Infinity : score));
      const largest = Math.max(...seen);
      const exponentials = seen.map((score) => Math.exp(score - largest));
      const sum = exponentials.reduce((one, other) => one + other);
      return exponentials.map((each) => each / sum);
    });
  }

  function draw(stage, { example = "journey" }) {
    const texts = EXAMPLES[example], [{ vectors, asks, keys }] = texts, middle = (i) => TOP + ROW * i;
    const state = { causal: false, scaled: true, times: 1, asks, text: texts[0] };
    const first = vectors ? 0 : 1, isMark = (j) => j < first || j >= keys.length - first; // around a sentence; marks do not ask
    stage.drawing.setAttribute("viewBox", `0 0 360 ${middle(keys.length)}`);
    stage.add("text", { x: FROM - 10, y: 16, class: "end name query", text: vectors ? "the query" : "asks" });
    stage.add("text", { x: TO + 10, y: 16, class: "name key", text: vectors ? "the keys" : "answer" });
    const rows = keys.map((_, i) => {
      const row = {
        line: stage.add("line", { x1: FROM, x2: TO, y2: middle(i), class: `${isMark(i) ? "axis" : "key"} moves` }),
        bar: stage.add("rect", { x: TO + 4, y: middle(i) - 11, height: 22, rx: 3, class: `${isMark(i) ? "kept" : "key"} soft moves` }),
        key: stage.add("text", { x: TO + 10, y: middle(i) + 5 }),
        weight: stage.add("text", { x: 358, y: middle(i) + 5, class: "end small" }),
        query: figures.of("text", { x: FROM - 10, y: middle(i) + 5, class: "end" }),
      };
      if (isMark(i)) return row;
      const area = figures.of("rect", { x: 2, y: middle(i) - 12, width: FROM - 4, height: 24, rx: 4 });
      row.asks = stage.add("g", { tabindex: 0, role: "button", class: "word" }, area, row.query);
      for (const event of ["pointerenter", "focus", "click"]) row.asks.addEventListener(event, () => ((state.asks = i), show()));
      return row;
    });
    const change = (name) => (value) => ((state[name] = value), show());
    const choose = (text) => (Object.assign(state, { text, asks: text.asks }), show());
    const buttons = vectors ? [] : texts.map((text) => stage.button(text.keys.slice(1, -1).join(" "), () => choose(text)));
    if (vectors) {
      stage.toggle("causal mask: nobody looks ahead", false, change("causal"));
      stage.toggle(`divide the scores by √d, here √${vectors[0].length}`, true, change("scaled"));
      stage.slider("longer vectors", { min: 1, max: 6, step: 0.5, value: 1, write: (times) => `× ${times}` }, change("times"));
    }

    function show() {
      const { keys } = state.text, weights = attention(state.text, state)[state.asks - first];
      rows.forEach((row, j) => {
        set(row.line, { y1: middle(state.asks), "stroke-width": 16 * weights[j], opacity: 0.15 + 0.75 * weights[j] });
        set(row.bar, { width: 4 + (354 - TO) * weights[j] });
        const hidden = state.causal && j > state.asks, weight = hidden ? "masked" : weights[j].toFixed(2);
        set(row.weight, { text: weight, class: hidden ? "end small dim" : "end small" });
        set(row.key, { text: keys[j], class: hidden || isMark(j) ? "dim" : "" });
        set(row.query, { text: keys[j] });
        if (row.asks) set(row.asks, { "aria-pressed": String(j === state.asks), "aria-label": `What ${keys[j]} attends to` });
      });
      buttons.forEach((button, i) => set(button, { "aria-pressed": String(texts[i] === state.text) }));
      const words = weights.map((weight, j) => (isMark(j) ? 0 : weight)), most = words.indexOf(Math.max(...words));
      const whom = most === state.asks ? "itself" : `“${keys[most]}”`;
      const marks = first ? ` The marks at both ends hold ${(weights[0] + weights.at(-1)).toFixed(2)}.` : "";
      stage.say(`${first ? "Of the words, " : ""}“${keys[state.asks]}” attends most to ${whom}: ${words[most].toFixed(2)} of its total weight of 1.${marks}`);
    }
    show();
  }

  figures.add("attention-map", {
    title: "Who attends to whom?",
    does: "Point at a word on the left, or walk there with the Tab key.",
    width: 360,
    height: 200,
    EXAMPLES,
    attention,
    draw,
  });
}
