/* Why scores are divided by √d: wide vectors make softmax choose one key, and then no gradient comes through. */
"use strict";

{
  const { set, shown, softmax } = figures;
  const KEYS = 8, DRAWS = 201, POWERS = [2, 3, 4, 5, 6, 7, 8, 9, 10], WIDEST = 2 ** POWERS.at(-1);
  const BARS = { left: 16, step: 41, wide: 33, floor: 112, full: 80 };
  const PLOT = { left: 44, right: 344, top: 156, bottom: 262, least: -6 };

  /** Numbers as if drawn from a normal distribution; the same for the same seed. */
  function normals(count, seed) {
    let state = seed >>> 0;
    const uniform = () => {
      state = (state + 0x6d2b79f5) >>> 0; // mulberry32
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    return new Float64Array(count).map(() => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()));
  }

  /** Dot products of a query and eight keys at every width: those of the first 4, 8, ... of their numbers. */
  function scores(seed) {
    const query = normals(WIDEST, 1000 + seed), keys = Array.from({ length: KEYS }, (_, k) => normals(WIDEST, 5000 + seed * KEYS + k));
    return POWERS.map((power) => keys.map((key) => {
      let sum = 0;
      for (let i = 0; i < 2 ** power; i++) sum += query[i] * key[i];
      return sum;
    }));
  }

  /** The size of softmax's Jacobian, diag(w) - w wᵀ: how much the weights move when scores do. */
  function gradient(weights) {
    const squares = weights.reduce((sum, w) => sum + w * w, 0);
    const cubes = weights.reduce((sum, w) => sum + w ** 3, 0);
    return Math.sqrt(Math.max(0, squares - 2 * cubes + squares * squares));
  }

  const scale = (row, width, scaled) => (scaled ? row.map((score) => score / Math.sqrt(width)) : row);
  const median = (numbers) => Float64Array.from(numbers).sort()[(numbers.length - 1) / 2];

  /** The weights at each width, largest first: means of the draws, for a single one may tell the opposite. */
  function means(draws, scaled) {
    return POWERS.map((power, i) => {
      const sorted = draws.map((rows) => softmax(scale(rows[i], 2 ** power, scaled)).sort((one, other) => other - one));
      return sorted[0].map((_, k) => sorted.reduce((sum, weights) => sum + weights[k], 0) / draws.length);
    });
  }

  /** The middle one of the gradients at each width. */
  function curve(draws, scaled) {
    return POWERS.map((power, i) => median(draws.map((rows) => gradient(softmax(scale(rows[i], 2 ** power, scaled))))));
  }

  function draw(stage) {
    const draws = Array.from({ length: DRAWS }, (_, seed) => scores(seed));
    const shares = { scaled: means(draws, true), plain: means(draws, false) };
    const curves = { scaled: curve(draws, true), plain: curve(draws, false) };
    const state = { at: 4, scaled: false };
    const x = (at) => PLOT.left + (at / (POWERS.length - 1)) * (PLOT.right - PLOT.left);
    const y = (value) => PLOT.top + (Math.max(PLOT.least, Math.log10(value)) / PLOT.least) * (PLOT.bottom - PLOT.top);
    stage.add("text", { x: 8, y: 14, class: "name", text: "weights of eight random keys, largest first" });
    stage.add("line", { x1: 12, x2: 348, y1: BARS.floor, y2: BARS.floor, class: "axis" });
    const bars = Array.from({ length: KEYS }, (_, k) => ({
      bar: stage.add("rect", { x: BARS.left + k * BARS.step, width: BARS.wide, class: "lit moves" }),
      text: stage.add("text", { x: BARS.left + k * BARS.step + BARS.wide / 2, class: "middle small" }),
    }));
    stage.add("text", { x: 8, y: 142, class: "name", text: "gradient through softmax" });
    for (const power of [0, -2, -4, -6]) {
      stage.add("line", { x1: PLOT.left, x2: PLOT.right, y1: y(10 ** power), y2: y(10 ** power), class: "grid" });
      stage.add("text", { x: PLOT.left - 6, y: y(10 ** power) + 4, class: "end small", text: power ? `1e${power}`.replace("-", "−") : "1" });
    }
    POWERS.forEach((power, i) => i % 2 || stage.add("text", { x: x(i), y: PLOT.bottom + 16, class: "middle small", text: 2 ** power }));
    stage.add("text", { x: (PLOT.left + PLOT.right) / 2, y: PLOT.bottom + 32, class: "middle small", text: "d, numbers in a vector" });
    const lines = Object.fromEntries(Object.entries(curves).map(([name, values]) => {
      const points = values.map((value, i) => `${x(i)},${y(value)}`).join(" ");
      return [name, stage.add("polyline", { points })];
    }));
    const mark = stage.add("circle", { r: 6, class: "mark moves" });
    const write = (at) => String(2 ** POWERS[at]);
    stage.slider("width d", { min: 0, max: POWERS.length - 1, step: 1, value: state.at, write }, (at) => ((state.at = at), show()));
    stage.toggle("divide the scores by √d", false, (on) => ((state.scaled = on), show()));

    function show() {
      const name = state.scaled ? "scaled" : "plain", value = curves[name][state.at], weights = shares[name][state.at];
      weights.forEach((weight, k) => {
        set(bars[k].bar, { y: BARS.floor - weight * BARS.full, height: weight * BARS.full });
        set(bars[k].text, { y: BARS.floor - weight * BARS.full - 4, text: weight.toFixed(2) });
      });
      for (const [each, line] of Object.entries(lines)) set(line, { class: each === name ? "curve" : "curve dim" });
      set(mark, { cx: x(state.at), cy: y(value) });
      const way = state.scaled ? "divided by √d" : "not divided";
      stage.say(`Width ${write(state.at)}, ${way}: the largest weight is ${shown(weights[0])}, the mean of ${DRAWS} draws; the Jacobian's norm is ${shown(value, 3)}, their median.`);
    }
    show();
  }

  figures.add("sqrt-d", {
    title: "Why divide by √d?",
    does: "Make the vectors wider, then switch the division on.",
    width: 360,
    height: 300,
    KEYS,
    DRAWS,
    POWERS,
    normals,
    scores,
    gradient,
    means,
    curve,
    draw,
  });
}
