/* The writer's next letter: temperature and top-k on what the model of `write` scored, at four steps of its training. */
"use strict";

{
  const { set, shown } = figures;
  const ROWS = 12, TOP = 52, STEP = 20, LEFT = 66, FULL = 240, DRAWS = 16;

  /** What each letter is drawn with: the k largest logits, divided by the temperature, through softmax. */
  function chances(logits, temperature, top_k) {
    const smallest = [...logits].sort((one, other) => other - one)[top_k - 1];
    if (temperature === 0) return logits.map((logit, i) => Number(i === logits.indexOf(Math.max(...logits))));
    return figures.softmax(logits.map((logit) => (logit < smallest ? -Infinity : logit / temperature)));
  }

  /** Letters drawn by such chances; another series for each seed. */
  function drawn(shares, count, seed) {
    let state = seed;
    return Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      let left = state / 2 ** 32;
      const at = shares.findIndex((share) => (left -= share) < 0);
      return at < 0 ? shares.findLastIndex((share) => share) : at;
    });
  }

  const visible = (character) => ({ " ": "␣", "\n": "↵" })[character] ?? character;

  function draw(stage) {
    const { characters, prompts, steps, logits } = figures.data["next-letter"];
    const state = { at: steps.length - 1, prompt: 0, temperature: 1, top_k: characters.length, seed: 1 };
    const begins = stage.add("text", { x: 4, y: 16, class: "code name" });
    stage.add("text", { x: LEFT, y: 38, class: "small", text: "how likely comes next" });
    const rows = Array.from({ length: ROWS }, (_, i) => ({
      letter: stage.add("text", { x: LEFT - 10, y: TOP + STEP * i + 13, class: "end code" }),
      bar: stage.add("rect", { x: LEFT, y: TOP + STEP * i, height: STEP - 4, rx: 2, class: "lit moves" }),
      share: stage.add("text", { y: TOP + STEP * i + 13, class: "small" }),
    }));
    stage.add("text", { x: 4, y: TOP + STEP * ROWS + 18, class: "small", text: `${DRAWS} draws` });
    const letters = stage.add("text", { x: LEFT, y: TOP + STEP * ROWS + 18, class: "code" });
    const change = (name) => (value) => ((state[name] = value), show());
    stage.slider("training", { min: 0, max: steps.length - 1, step: 1, value: state.at, write: (at) => `${steps[at]} steps` }, change("at"));
    stage.slider("temperature", { min: 0, max: 2, step: 0.1, value: 1, write: (degree) => degree.toFixed(1) }, change("temperature"));
    const all = characters.length, write = (k) => (k === all ? "all" : String(k));
    stage.slider("top k", { min: 1, max: all, step: 1, value: all, write }, change("top_k"));
    const buttons = prompts.map((prompt, i) => stage.button(`${prompt}…`, () => change("prompt")(i)));
    stage.button("draw again", () => change("seed")(state.seed + 1));

    function show() {
      const scores = logits[state.at][state.prompt], shares = chances(scores, state.temperature, state.top_k);
      const order = characters.map((_, i) => i).sort((one, other) => scores[other] - scores[one]);
      set(begins, { text: `${prompts[state.prompt]}…` });
      rows.forEach(({ letter, bar, share }, i) => {
        const chance = shares[order[i]];
        set(letter, { text: visible(characters[order[i]]), class: chance ? "end code" : "end code dim" });
        set(bar, { width: FULL * chance });
        set(share, { x: LEFT + 6 + FULL * chance, text: chance.toFixed(2) });
      });
      set(letters, { text: drawn(shares, DRAWS, state.seed).map((at) => visible(characters[at])).join(" ") });
      buttons.forEach((button, i) => set(button, { "aria-pressed": String(i === state.prompt) }));
      const first = visible(characters[order[0]]), others = order.slice(ROWS).reduce((sum, i) => sum + shares[i], 0);
      stage.say(`“${first}” comes with a chance of ${shown(shares[order[0]])}; the ${all - ROWS} letters that are not shown have ${shown(others)} together.`);
    }
    show();
  }

  figures.add("next-letter", {
    title: "Which letter comes next?",
    does: "Turn the two knobs, and see which letters are drawn.",
    width: 360,
    height: TOP + STEP * ROWS + 26,
    chances,
    drawn,
    draw,
  });
}
