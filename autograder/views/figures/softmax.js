/* Softmax: scores become weights. Only differences count, and the formula as it stands overflows. */
"use strict";

{
  const { set, shown, clamp } = figures;
  const FEWEST = -6, MOST = 6; // of a score, before something is added to all
  const LEFT = 64, STEP = 66, WIDE = 44, ZERO = 92, UNIT = 11, FLOOR = 262, FULL = 78;

  const rounded = (float32) => (float32 ? Math.fround : (number) => number);

  /** e^x for each x, as the formula takes it: of x itself, or of its distance from the largest. */
  function exponentials(scores, { temperature = 1, subtract = true, float32 = false } = {}) {
    const as = rounded(float32);
    const largest = subtract ? Math.max(...scores) : 0;
    return scores.map((score) => as(Math.exp(as((score - largest) / temperature))));
  }

  /** The weights, with each sum and quotient rounded as the number type rounds it. */
  function weights(scores, options = {}) {
    const as = rounded(options.float32);
    const all = exponentials(scores, options), sum = total(all, options);
    return all.map((each) => as(each / sum));
  }

  const total = (all, { float32 = false } = {}) => all.reduce((sum, each) => rounded(float32)(sum + each), 0);

  function draw(stage) {
    const state = { scores: [3, 1, -1, -2], shift: 0, temperature: 1, subtract: false, float32: false };
    const names = ["one", "two", "three", "four"];
    stage.add("text", { x: 4, y: 16, class: "name", text: "scores" });
    stage.add("line", { x1: 54, x2: 318, y1: ZERO, y2: ZERO, class: "axis" });
    stage.add("text", { x: 4, y: 166, class: "name", text: "weights" });
    stage.add("line", { x1: 54, x2: 318, y1: FLOOR, y2: FLOOR, class: "axis" });
    const power = stage.add("text", { x: 4, y: FLOOR + 18, class: "small" });
    const sum = stage.add("text", { x: 358, y: FLOOR + 18, class: "end small" });
    const columns = names.map((name, i) => {
      const x = LEFT + i * STEP;
      if (i) stage.add("text", { x: x + (WIDE - STEP) / 2, y: FLOOR + 18, class: "middle small", text: "+" });
      const column = {
        score: stage.add("rect", { x, width: WIDE, class: "kept moves" }),
        number: stage.add("text", { x: x + WIDE / 2, class: "middle" }),
        weight: stage.add("rect", { x, width: WIDE, class: "lit moves" }),
        share: stage.add("text", { x: x + WIDE / 2, class: "middle" }),
        exponential: stage.add("text", { x: x + WIDE / 2, y: FLOOR + 18, class: "middle small" }),
        grip: stage.add("rect", { x: x + 3, width: WIDE - 6, height: 12, rx: 6, class: "score grip" }),
      };
      const move = (score) => {
        state.scores[i] = clamp(Math.round(score * 10) / 10, FEWEST, MOST);
        show();
      };
      stage.handle(column.grip, `score ${name}`, {
        to: (_, y) => move((ZERO - y) / UNIT),
        by: (right, up) => move(state.scores[i] + (right + up) * 0.5),
        tell: () => ({ now: state.scores[i], least: FEWEST, most: MOST, words: shown(state.scores[i] + state.shift, 1) }),
      });
      return column;
    });

    const turn = (power) => 2 ** power;
    const add = (amount) => {
      state.shift = clamp(state.shift + amount, -1000, 1000);
      show();
    };
    stage.slider("temperature", { min: -3, max: 3, step: 0.25, value: 0, write: (p) => shown(turn(p)) }, (power) => {
      state.temperature = turn(power);
      show();
    });
    stage.button("+100 to all", () => add(100));
    stage.button("−100 to all", () => add(-100));
    stage.toggle("subtract the largest first", false, (on) => ((state.subtract = on), show()));
    stage.toggle("float32", false, (on) => ((state.float32 = on), show()));

    function show() {
      const scores = state.scores.map((score) => score + state.shift);
      const all = exponentials(scores, state), shares = weights(scores, state);
      set(power, { text: state.subtract ? "e^(x − max)" : "e^x" });
      set(sum, { text: `= ${shown(total(all, state), 1)}` });
      columns.forEach((column, i) => {
        const tip = ZERO - state.scores[i] * UNIT, full = Number.isNaN(shares[i]) ? 0 : shares[i] * FULL;
        set(column.score, { y: Math.min(tip, ZERO), height: Math.abs(tip - ZERO) });
        set(column.grip, { y: tip - 6 });
        set(column.number, { y: state.scores[i] >= 0 ? tip - 11 : tip + 20, text: shown(scores[i], 1) });
        set(column.weight, { y: FLOOR - full, height: full });
        set(column.share, { y: FLOOR - full - 6, text: shown(shares[i], 3), class: shares[i] >= 0 ? "middle" : "middle bad" });
        set(column.exponential, { text: shown(all[i], 1), class: Number.isFinite(all[i]) ? "middle small" : "middle small bad" });
      });
      stage.say(sentence(all, shares));
    }

    function sentence(all, shares) {
      if (all.includes(Infinity))
        return "e to that power is larger than the largest number there is here: infinity divided by infinity is NaN.";
      if (shares.some(Number.isNaN)) return "Every exponential is too small to be anything but 0, and 0 divided by 0 is NaN.";
      if (state.shift && state.subtract)
        return `All scores are ${shown(Math.abs(state.shift), 0)} ${state.shift > 0 ? "higher" : "lower"}, and no weight has moved: only differences count.`;
      const best = Math.max(...shares);
      return `Each weight is its exponential divided by their sum; the largest is ${shown(best, 3)}.`;
    }
    show();
  }

  figures.add("softmax", {
    title: "Scores become weights.",
    does: "Drag a score, change the temperature, add 100 to all of them.",
    width: 360,
    height: 288,
    exponentials,
    weights,
    draw,
  });
}
