/* Queries and keys in the plane: two matrices as four arrows to drag, and what the words ask, offer and attend to. */
"use strict";

{
  const { set, shown, clamp, of } = figures;
  // Words as two numbers, how much of a noun and how much of a verb they are.
  const WORDS = { teacher: [0.8, 0.1], praises: [-0.1, 0.75], student: [0.6, -0.4], who: [0.3, 0.25], improves: [-0.6, 0.3] };
  const NAMES = Object.keys(WORDS), X = Object.values(WORDS);
  const START = { wq: [[-1.1, 1.6], [2, 0.8]], wk: [[1.5, -1], [0.5, 2]] }; // a row for what a noun becomes, one for a verb
  const CENTRE = [120, 136], UNIT = 42, REACH = 2.5;
  const ROW = { top: 44, step: 28, left: 250, right: 356 };
  const OF = { wq: "query", wk: "key" };

  const apart = (matrices) => Object.fromEntries(Object.entries(matrices).map(([name, rows]) => [name, rows.map((row) => [...row])]));
  const times = ([noun, verb], [first, second]) => [noun * first[0] + verb * second[0], noun * first[1] + verb * second[1]];

  /** The weights of each word's query, and the scores they come from. */
  function attend(wq, wk) {
    const queries = X.map((x) => times(x, wq)), keys = X.map((x) => times(x, wk));
    const scores = queries.map((q) => keys.map((k) => (q[0] * k[0] + q[1] * k[1]) / Math.SQRT2));
    return { queries, keys, scores, weights: scores.map(figures.softmax) };
  }

  function draw(stage) {
    const state = { ...apart(START), asks: 1, same: false };
    const at = ([x, y]) => [CENTRE[0] + UNIT * clamp(x, -REACH, REACH), CENTRE[1] - UNIT * clamp(y, -REACH, REACH)];
    stage.add("line", { x1: 8, x2: 232, y1: CENTRE[1], y2: CENTRE[1], class: "grid" });
    stage.add("line", { x1: CENTRE[0], x2: CENTRE[0], y1: 26, y2: 248, class: "grid" });
    stage.add("text", { x: 4, y: 14, class: "name query", text: "queries" });
    stage.add("text", { x: 66, y: 14, class: "name key", text: "keys" });
    stage.add("text", { x: ROW.left, y: 14, class: "name", text: "who asks" });
    const rays = NAMES.map(() => stage.add("line", { class: "lit" }));
    const dots = NAMES.map(() => ({
      key: stage.add("circle", { r: 4, class: "key" }),
      name: stage.add("text", { class: "small" }),
    }));
    const query = stage.add("circle", { r: 7, class: "query" });
    const arrows = Object.keys(START).flatMap((name) => ["noun", "verb"].map((part, row) => {
      const shaft = stage.add("line", { x1: CENTRE[0], y1: CENTRE[1], class: `${OF[name]} arrow` });
      const label = stage.add("text", { class: `${OF[name]} small name middle` });
      const tip = stage.add("rect", { width: 14, height: 14, rx: 3, class: OF[name] });
      const move = (x, y) => {
        state[name][row] = [x, y].map((each) => clamp(Math.round(10 * each) / 10, -REACH, REACH));
        if (state.same) state[name === "wq" ? "wk" : "wq"] = state[name].map((each) => [...each]);
        show();
      };
      const words = () => state[name][row].map((each) => shown(each, 1)).join(", ");
      stage.handle(tip, `${name}: what a ${part} becomes`, {
        to: (x, y) => move((x - CENTRE[0]) / UNIT, (CENTRE[1] - y) / UNIT),
        by: (right, up) => move(state[name][row][0] + 0.1 * right, state[name][row][1] + 0.1 * up),
        tell: () => ({ now: state[name][row][0], least: -REACH, most: REACH, words: words() }),
      });
      return { name, row, part, shaft, tip, label };
    }));
    const rows = NAMES.map((word, i) => {
      const y = ROW.top + ROW.step * i;
      const bar = stage.add("rect", { x: ROW.left, y: y - 13, height: 24, rx: 3, class: "lit soft moves" });
      const area = of("rect", { x: ROW.left, y: y - 13, width: ROW.right - ROW.left, height: 24, rx: 3 });
      const asks = stage.add("g", { tabindex: 0, role: "button", class: "word" }, area, of("text", { x: ROW.left + 6, y: y + 4, text: word }));
      for (const event of ["pointerenter", "focus", "click"]) asks.addEventListener(event, () => ((state.asks = i), show()));
      return { bar, asks, weight: stage.add("text", { x: ROW.right - 4, y: y + 4, class: "end small" }) };
    });
    stage.toggle("the same matrix for both", false, (on) => {
      state.same = on;
      if (on) state.wk = state.wq.map((row) => [...row]);
      show();
    });
    stage.button("from the start", () => (Object.assign(state, apart(START)), state.same && (state.wk = apart(START).wq), show()));

    function show() {
      const { queries, keys, scores, weights } = attend(state.wq, state.wk), { asks } = state;
      for (const { name, row, part, shaft, tip, label } of arrows) {
        const [x, y] = at(state[name][row]), out = Math.hypot(x - CENTRE[0], y - CENTRE[1]) || 1;
        set(shaft, { x2: x, y2: y });
        set(tip, { x: x - 7, y: y - 7 });
        set(label, { x: x + (22 * (x - CENTRE[0])) / out, y: y + 4 + (18 * (y - CENTRE[1])) / out, text: part });
      }
      const [x1, y1] = at(queries[asks]);
      set(query, { cx: x1, cy: y1 });
      dots.forEach(({ key, name }, i) => {
        const [x, y] = at(keys[i]);
        set(key, { cx: x, cy: y });
        set(name, { x: x > 160 ? x - 7 : x + 7, y: y + 13, text: NAMES[i], class: x > 160 ? "small end" : "small" });
        set(rays[i], { x1, y1, x2: x, y2: y, "stroke-width": 12 * weights[asks][i], opacity: 0.5 });
        set(rows[i].bar, { width: 4 + 102 * weights[asks][i] });
        set(rows[i].weight, { text: i === asks ? "" : weights[asks][i].toFixed(2) });
        set(rows[i].asks, { "aria-pressed": String(i === asks), "aria-label": `What ${NAMES[i]} attends to` });
      });
      const others = weights[asks].map((weight, i) => (i === asks ? -1 : weight)), most = others.indexOf(Math.max(...others));
      const [there, back] = [scores[asks][most], scores[most][asks]];
      const both = Math.abs(there - back) < 1e-9 ? "the same both ways" : `and ${shown(back)} the other way round`;
      stage.say(`Of the others, “${NAMES[asks]}” attends most to “${NAMES[most]}”: ${others[most].toFixed(2)}. Their score is ${shown(there)}, ${both}.`);
    }
    show();
  }

  figures.add("queries-keys", {
    title: "What asks, what offers.",
    does: "Drag the squares: what a noun and what a verb become, as queries and as keys. Choose who asks on the right.",
    width: 360,
    height: 262,
    X,
    START,
    attend,
    draw,
  });
}
