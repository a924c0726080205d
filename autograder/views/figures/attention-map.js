/* One row of an attention map as lines: what the word that asks takes from each of the others. */
"use strict";

{
  const { set } = figures;
  const FROM = 110, TO = 236, LAYERS = 6, HEADS = 12;
  const GRID = { left: 22, top: 36, pitch: 28 }, GAP = 2; // between two small maps, in cells

  // What a page can name; the others, `pronouns` and `trained`, are texts to choose from, with the weights of trained
  // heads: layer 3, head 1 of all-MiniLM-L6-v2 (Apache 2.0), or all of them (`computed.py`).
  const EXAMPLES = {
    // The chapter `all_queries`: made-up vectors of three numbers, scored by their dot products.
    journey: [
      {
        keys: ["Your", "journey", "starts", "with", "one", "step"],
        vectors: [[0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1], [0.05, 0.8, 0.55]],
        asks: 4,
      },
    ],
  };

  /** The rows of the map: those of a trained head as they are, others masked, scaled, and through softmax. */
  function attention({ keys, vectors, weights }, { causal = false, scaled = true, times = 1, layer = 0, head = 0 } = {}) {
    if (weights) {
      const n = keys.length, from = (layer * HEADS + head) * n * n, bytes = figures.bytes(weights);
      return keys.map((_, i) => Array.from(bytes.subarray(from + i * n, from + (i + 1) * n), (byte) => byte / 255));
    }
    const factor = times ** 2 / (scaled ? Math.sqrt(vectors[0].length) : 1);
    return vectors.map((query, i) => {
      const scores = vectors.map((key) => factor * query.reduce((sum, number, at) => sum + number * key[at], 0));
      return figures.softmax(scores.map((score, j) => (causal && j > i ? -Infinity : score)));
    });
  }

  /** The weights of all heads as small maps: for each of eight shades a path of the cells that have it. */
  function shades(text) {
    const paths = Array.from({ length: 8 }, () => []);
    for (let layer = 0; layer < LAYERS; layer++)
      for (let head = 0; head < HEADS; head++)
        attention(text, { layer, head }).forEach((row, i) => row.forEach((weight, j) => {
          const shade = Math.round(8 * weight), pitch = row.length + GAP;
          if (shade) paths[shade - 1].push(`M${head * pitch + j} ${layer * pitch + i}h1`);
        }));
    return paths.map((cells) => cells.join(""));
  }

  /** A small map of each head, of which one is chosen by pointer or arrow keys. */
  function drawGrid(stage, state, show) {
    const at = (head, layer) => [GRID.left + head * GRID.pitch, GRID.top + layer * GRID.pitch];
    for (let head = 0; head < HEADS; head++) stage.add("text", { x: at(head)[0] + 13, y: GRID.top - 6, class: "middle small", text: head });
    for (let layer = 0; layer < LAYERS; layer++) stage.add("text", { x: GRID.left - 8, y: at(0, layer)[1] + 17, class: "end small", text: layer });
    stage.add("text", { x: 4, y: 14, class: "small name", text: `choose one of ${LAYERS * HEADS} heads: ${HEADS} in each of ${LAYERS} layers` });
    const maps = stage.add("g", { class: "maps" }), frames = maps.appendChild(figures.of("path", { class: "face" }));
    const paths = Array.from({ length: 8 }, (_, i) => maps.appendChild(figures.of("path", { class: "lit", opacity: (i + 1) / 8 })));
    const frame = stage.add("rect", { width: GRID.pitch, height: GRID.pitch, rx: 3, class: "chosen" });
    const go = (head, layer) => {
      Object.assign(state, { head: figures.clamp(head, 0, HEADS - 1), layer: figures.clamp(layer, 0, LAYERS - 1) });
      show();
    };
    const tell = () => ({ now: state.layer * HEADS + state.head, least: 0, most: LAYERS * HEADS - 1, words: `layer ${state.layer}, head ${state.head}` });
    const say = stage.arrows(frame, "the head that is shown", { by: (right, up) => go(state.head + right, state.layer - up), tell });
    const area = stage.add("rect", { x: GRID.left, y: GRID.top, width: HEADS * GRID.pitch, height: LAYERS * GRID.pitch, class: "area" });
    area.addEventListener("click", (event) => {
      const { x, y } = stage.place(event);
      go(Math.floor((x - GRID.left) / GRID.pitch), Math.floor((y - GRID.top) / GRID.pitch));
      say();
    });
    return () => {
      const n = state.text.keys.length, scale = GRID.pitch / (n + GAP), [x, y] = at(state.head, state.layer);
      set(maps, { transform: `translate(${GRID.left + scale} ${GRID.top + 1.5 * scale}) scale(${scale})` });
      const square = (_, i) => `M${(i % HEADS) * (n + GAP)} ${Math.floor(i / HEADS) * (n + GAP) - 0.5}h${n}v${n}h-${n}z`;
      set(frames, { d: Array.from({ length: LAYERS * HEADS }, square).join("") });
      shades(state.text).forEach((d, i) => set(paths[i], { d }));
      set(frame, { x, y });
    };
  }

  function draw(stage, { example = "journey" }) {
    const texts = EXAMPLES[example] ?? figures.data[`attention-map.${example}`], { vectors, asks } = texts[0];
    const most = Math.max(...texts.map(({ keys }) => keys.length)), isWhole = example === "trained";
    const top = isWhole ? GRID.top + LAYERS * GRID.pitch + 44 : 40, middle = (i) => top + (isWhole ? 24 : 26) * i;
    const state = { causal: false, scaled: true, times: 1, layer: 0, head: 0, ...(isWhole && { layer: 3, head: 1 }), asks, text: texts[0] };
    const first = vectors ? 0 : 1, isMark = (j) => j < first || j >= state.text.keys.length - first; // around a sentence; marks do not ask
    stage.drawing.setAttribute("viewBox", `0 0 360 ${middle(most)}`);
    const showGrid = isWhole ? drawGrid(stage, state, () => show()) : () => {};
    stage.add("text", { x: FROM - 10, y: top - 24, class: "end name query", text: vectors ? "the query" : "asks" });
    stage.add("text", { x: TO + 10, y: top - 24, class: "name key", text: vectors ? "the keys" : "answer" });
    const rows = Array.from({ length: most }, (_, i) => {
      const row = {
        line: stage.add("line", { x1: FROM, x2: TO, y2: middle(i) }),
        bar: stage.add("rect", { x: TO + 4, y: middle(i) - 11, height: 22, rx: 3 }),
        key: stage.add("text", { x: TO + 10, y: middle(i) + 5 }),
        weight: stage.add("text", { x: 358, y: middle(i) + 5, class: "end small" }),
        query: figures.of("text", { x: FROM - 10, y: middle(i) + 5, class: "end" }),
      };
      const area = figures.of("rect", { x: 2, y: middle(i) - 12, width: FROM - 4, height: 24, rx: 4, class: "clear" });
      row.asks = stage.add("g", {}, area, row.query);
      for (const event of ["pointerenter", "focus", "click"])
        row.asks.addEventListener(event, () => isMark(i) || ((state.asks = i), show()));
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
      const { keys } = state.text, weights = attention(state.text, state)[state.asks];
      showGrid();
      rows.forEach((row, j) => {
        for (const part of Object.values(row)) set(part, { visibility: j >= keys.length && "hidden" });
        if (j >= keys.length) return;
        set(row.line, { class: `${isMark(j) ? "axis" : "lit"} moves`, y1: middle(state.asks), "stroke-width": 16 * weights[j], opacity: 0.15 + 0.75 * weights[j] });
        set(row.bar, { class: `${isMark(j) ? "kept" : "lit"} soft moves`, width: 4 + (354 - TO) * weights[j] });
        const hidden = state.causal && j > state.asks, weight = hidden ? "masked" : weights[j].toFixed(2);
        set(row.weight, { text: weight, class: hidden ? "end small dim" : "end small" });
        set(row.key, { text: keys[j], class: hidden || isMark(j) ? "dim" : "" });
        set(row.query, { text: keys[j], class: isMark(j) ? "end dim" : "end" });
        set(row.asks, isMark(j)
          ? { tabindex: null, role: null, class: null, "aria-pressed": null, "aria-label": null }
          : { tabindex: 0, role: "button", class: "word", "aria-pressed": String(j === state.asks), "aria-label": `What ${keys[j]} attends to` });
      });
      buttons.forEach((button, i) => set(button, { "aria-pressed": String(texts[i] === state.text) }));
      const words = weights.map((weight, j) => (isMark(j) ? 0 : weight)), best = words.indexOf(Math.max(...words));
      const whom = best === state.asks ? "itself" : `“${keys[best]}”`;
      const marks = first ? ` The marks at both ends hold ${(weights[0] + weights.at(-1)).toFixed(2)}.` : "";
      const where = isWhole ? `Layer ${state.layer}, head ${state.head}. ` : "";
      stage.say(`${where}${first ? "Of the words, " : ""}“${keys[state.asks]}” attends most to ${whom}: ${words[best].toFixed(2)} of its total weight of 1.${marks}`);
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
