/* One row of an attention map as lines: what the word that asks takes from each of the others. */
"use strict";

{
  const { set, shown } = figures;
  const ROW = 26, TOP = 40, FROM = 110, TO = 236;

  const EXAMPLES = {
    // The chapter `all_queries`: made-up vectors of three numbers, scored by their dot products.
    journey: {
      words: ["Your", "journey", "starts", "with", "one", "step"],
      vectors: [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1], [0.05, 0.8, 0.55]],
      asks: 4,
    },
    // The chapter `pretrained`: weights of layer 1, head 3 of a trained model, whose heads are 32 numbers wide.
    teacher: {
      words: ["[CLS]", "the", "teacher", "praised", "a", "student", "because", "she", "improved", "[SEP]"],
      width: 32,
      weights: [
        [0.9874, 0.0022, 0.0009, 0.0010, 0.0015, 0.0003, 0.0009, 0.0008, 0.0011, 0.0038],
        [0.4791, 0.0559, 0.0441, 0.1613, 0.0288, 0.0157, 0.0633, 0.0158, 0.0975, 0.0385],
        [0.6984, 0.0248, 0.0891, 0.0805, 0.0099, 0.0210, 0.0110, 0.0137, 0.0209, 0.0308],
        [0.5339, 0.0639, 0.2282, 0.0660, 0.0233, 0.0249, 0.0143, 0.0088, 0.0273, 0.0094],
        [0.2801, 0.1746, 0.0582, 0.2187, 0.0597, 0.0192, 0.0695, 0.0193, 0.0577, 0.0431],
        [0.5272, 0.0521, 0.0846, 0.1316, 0.0236, 0.0251, 0.0131, 0.0260, 0.0513, 0.0653],
        [0.2407, 0.0736, 0.0135, 0.5004, 0.0297, 0.0073, 0.0314, 0.0089, 0.0676, 0.0269],
        [0.1200, 0.0783, 0.5595, 0.0455, 0.0422, 0.0926, 0.0073, 0.0235, 0.0118, 0.0191],
        [0.5764, 0.0597, 0.0433, 0.1061, 0.0223, 0.0224, 0.0279, 0.0113, 0.1207, 0.0099],
        [0.0637, 0.3346, 0.0500, 0.2711, 0.0739, 0.0275, 0.0626, 0.0284, 0.0597, 0.0284],
      ],
      asks: 7,
    },
  };

  /** Scores before they are divided by √d; those of given weights are their logarithms, which differ by a shift a row. */
  function scores({ vectors, weights, width }) {
    if (vectors) return vectors.map((query) => vectors.map((key) => query.reduce((sum, number, i) => sum + number * key[i], 0)));
    return weights.map((row) => row.map((weight) => Math.log(weight) * Math.sqrt(width)));
  }

  const widthOf = (example) => example.width ?? example.vectors[0].length;

  /** The whole map: masked, scaled, and each row through softmax. `times` makes all vectors longer. */
  function attention(example, { causal = false, scaled = true, times = 1 } = {}) {
    const factor = times ** 2 / (scaled ? Math.sqrt(widthOf(example)) : 1);
    return scores(example).map((row, i) => {
      const seen = row.map((score, j) => (causal && j > i ? -Infinity : score * factor));
      const largest = Math.max(...seen);
      const exponentials = seen.map((score) => Math.exp(score - largest));
      const sum = exponentials.reduce((one, other) => one + other);
      return exponentials.map((each) => each / sum);
    });
  }

  function draw(stage, { example: name = "journey" }) {
    const example = EXAMPLES[name], { words } = example, middle = (i) => TOP + ROW * i;
    const state = { causal: false, scaled: true, times: 1, asks: example.asks };
    stage.drawing.setAttribute("viewBox", `0 0 360 ${middle(words.length)}`);
    stage.add("text", { x: FROM - 10, y: 16, class: "end name query", text: "the query" });
    stage.add("text", { x: TO + 10, y: 16, class: "name key", text: "the keys" });
    const rows = words.map((word, i) => {
      const row = {
        line: stage.add("line", { x1: FROM, x2: TO, y2: middle(i), class: "key tie moves" }),
        bar: stage.add("rect", { x: TO + 4, y: middle(i) - 11, height: 22, rx: 3, class: "key soft moves" }),
        key: stage.add("text", { x: TO + 10, y: middle(i) + 5, text: word }),
        weight: stage.add("text", { x: 358, y: middle(i) + 5, class: "end small" }),
        asks: stage.add("g", { tabindex: 0, role: "button", class: "word" }),
      };
      row.asks.append(figures.of("rect", { x: 2, y: middle(i) - 12, width: FROM - 4, height: 24, rx: 4 }));
      row.asks.append(figures.of("text", { x: FROM - 10, y: middle(i) + 5, class: "end", text: word }));
      for (const event of ["pointerenter", "focus", "click"]) row.asks.addEventListener(event, () => ((state.asks = i), show()));
      return row;
    });
    const change = (name) => (value) => ((state[name] = value), show());
    stage.toggle("causal mask: nobody looks ahead", false, change("causal"));
    stage.toggle(`divide the scores by √d, here √${widthOf(example)}`, true, change("scaled"));
    stage.slider("longer vectors", { min: 1, max: 6, step: 0.5, value: 1, write: (times) => `× ${times}` }, change("times"));

    function show() {
      const weights = attention(example, state)[state.asks];
      rows.forEach((row, j) => {
        set(row.line, { y1: middle(state.asks), "stroke-width": 16 * weights[j], opacity: 0.15 + 0.75 * weights[j] });
        set(row.bar, { width: 4 + (354 - TO) * weights[j] });
        const hidden = state.causal && j > state.asks;
        set(row.weight, { text: hidden ? "masked" : shown(weights[j]), class: hidden ? "end small dim" : "end small" });
        set(row.key, { class: hidden ? "dim" : "" });
        const told = `${words[j]} ${hidden ? "masked" : shown(weights[j])}`;
        set(row.asks, { "aria-pressed": String(j === state.asks), "aria-label": `What ${words[j]} attends to`, "data-told": told });
      });
      const most = weights.indexOf(Math.max(...weights));
      const whom = most === state.asks ? "itself" : `“${words[most]}”`;
      stage.say(`“${words[state.asks]}” attends most to ${whom}: ${shown(weights[most])} of a weight that is 1 in all.`);
    }
    show();
  }

  figures.add("attention-map", {
    title: "Who attends to whom?",
    does: "Point at a word on the left, or walk there with the Tab key.",
    width: 360,
    height: 200,
    EXAMPLES,
    scores,
    attention,
    draw,
  });
}
