/* Rotary positions: hands of four speeds turn with their places, and their score knows only how far apart they stand. */
"use strict";

{
  const { set, shown, clamp } = figures;
  const PLACES = 40, FURTHEST = 20, BASE = 10000; // places from 0; offsets that the curve shows
  // A query and a key of eight numbers, two by two, before they are rotated.
  const QUERY = [[1, 0.3], [0.9, 0.4], [1, 0], [0.8, 0.5]], KEY = [[1, -0.1], [0.8, 0.6], [0.9, 0.2], [0.9, 0.3]];
  const CLOCK = { y: 60, radius: 36, unit: 32, x: (pair) => 46 + 89 * pair };
  const CURVE = { left: 16, right: 344, middle: 220, unit: 15 };

  /** Radians that each pair turns in one place. */
  const speeds = (base) => QUERY.map((_, pair) => base ** (-pair / QUERY.length));

  /** The pairs of a vector, each rotated about the origin as far as its speed and its place say. */
  function rotate(pairs, place, base = BASE) {
    return speeds(base).map((speed, i) => {
      const [[x, y], cos, sin] = [pairs[i], Math.cos(place * speed), Math.sin(place * speed)];
      return [x * cos - y * sin, x * sin + y * cos];
    });
  }

  /** What each pair of a query and a key at their places adds to the score. */
  function parts(query_place, key_place, base = BASE) {
    const [q, k] = [rotate(QUERY, query_place, base), rotate(KEY, key_place, base)];
    return q.map(([x, y], i) => x * k[i][0] + y * k[i][1]);
  }

  const sum = (numbers) => numbers.reduce((one, other) => one + other);

  function draw(stage) {
    const state = { query: 12, key: 9, base: BASE };
    const x = (offset) => CURVE.left + ((offset + FURTHEST) / (2 * FURTHEST)) * (CURVE.right - CURVE.left);
    const y = (value) => CURVE.middle - value * CURVE.unit;
    const clocks = QUERY.map((_, pair) => {
      const [cx, cy] = [CLOCK.x(pair), CLOCK.y];
      stage.add("circle", { cx, cy, r: CLOCK.radius, class: "axis hollow" });
      const hand = (name) => stage.add("line", { x1: cx, y1: cy, class: `${name} shaft` });
      return {
        query: hand("query"),
        key: hand("key"),
        turn: stage.add("text", { x: cx, y: 14, class: "middle small" }),
        part: stage.add("text", { x: cx, y: 114, class: "middle name" }),
      };
    });
    stage.add("text", { x: 4, y: 142, class: "name", text: "their sum, the score, at every distance" });
    stage.add("line", { x1: CURVE.left, x2: CURVE.right, y1: CURVE.middle, y2: CURVE.middle, class: "axis" });
    stage.add("line", { x1: x(0), x2: x(0), y1: y(4.4), y2: y(-4.4), class: "grid" });
    stage.add("text", { x: CURVE.left, y: 304, class: "small", text: "key after" });
    stage.add("text", { x: CURVE.right, y: 304, class: "small end", text: "key before the query" });
    const lines = [...QUERY.map(() => stage.add("polyline", { class: "curve part" })), stage.add("polyline", { class: "curve" })];
    const dot = stage.add("circle", { r: 6, class: "mark moves" });
    const inputs = {};
    for (const name of ["query", "key"]) {
      const write = (place) => `place ${place}`;
      const change = (place) => ((state[name] = place), show());
      inputs[name] = stage.slider(name, { min: 0, max: PLACES, step: 1, value: state[name], write }, change);
    }
    const write = (power) => Math.round(10 ** power).toLocaleString("en");
    stage.slider("base", { min: 0, max: 5, step: 0.25, value: Math.log10(BASE), write }, (power) => ((state.base = 10 ** power), show()));
    const put = (places) => {
      for (const [name, place] of Object.entries(places)) {
        inputs[name].value = place;
        inputs[name].dispatchEvent(new Event("input"));
      }
    };
    const shift = (by) => {
      const { query, key } = state;
      const far = clamp(by, -Math.min(query, key), PLACES - Math.max(query, key));
      put({ query: query + far, key: key + far });
    };
    stage.button("shift both back", () => shift(-1));
    stage.button("shift both on", () => shift(1));
    stage.button("swap their places", () => put({ query: state.key, key: state.query }));

    function show() {
      const { query, key, base } = state, offset = query - key, now = parts(query, key, base), score = sum(now);
      const hands = { query: rotate(QUERY, query, base), key: rotate(KEY, key, base) };
      clocks.forEach((clock, pair) => {
        for (const [name, pairs] of Object.entries(hands)) {
          const [right, up] = pairs[pair];
          set(clock[name], { x2: CLOCK.x(pair) + CLOCK.unit * right, y2: CLOCK.y - CLOCK.unit * up });
        }
        const turn = (2 * Math.PI) / speeds(base)[pair];
        set(clock.turn, { text: `a turn in ${turn < 100 ? turn.toFixed(1) : Math.round(turn).toLocaleString("en")}` });
        set(clock.part, { text: `${pair ? (now[pair] < 0 ? "" : "+ ") : ""}${shown(now[pair])}`.replace("−", "− ") });
      });
      const offsets = Array.from({ length: 8 * FURTHEST + 1 }, (_, i) => i / 4 - FURTHEST), rows = offsets.map((each) => parts(each, 0, base));
      lines.forEach((line, i) => set(line, { points: rows.map((row, at) => `${x(offsets[at])},${y(i < row.length ? row[i] : sum(row))}`).join(" ") }));
      const inside = Math.abs(offset) <= FURTHEST;
      set(dot, { cx: x(clamp(offset, -FURTHEST, FURTHEST)), cy: y(score), visibility: !inside && "hidden" });
      const where = offset > 0 ? `${offset} before the query` : offset < 0 ? `${-offset} after the query` : "at the query's own place";
      stage.say(`The key stands ${where}. The score is ${shown(score, 3)}, wherever in the text that is.`);
    }
    show();
  }

  figures.add("rope", {
    title: "Four hands, one score.",
    does: "Shift both words: all hands turn, the score stays. Then make the base small: far words begin to score like near ones.",
    width: 360,
    height: 310,
    QUERY,
    KEY,
    rotate,
    parts,
    draw,
  });
}
