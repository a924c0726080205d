/* Softmax block by block: the largest score so far, the sum so far, and the correction when a larger one comes. */
"use strict";

{
  const { set, shown } = figures;
  const SCORES = [1, -0.5, 0.5, 2, 3.5, 0, 1.5, 2.5], VALUES = [2, 6, 4, 1, 3, 5, 8, 2], BLOCK = 2;
  const LEFT = 22, STEP = 41, WIDE = 33, ZERO = 116, UNIT = 22;
  const START = { maximum: -Infinity, sum: 0, mixture: 0, correction: 1 };

  /** What is known after each block; `rescale` says whether what was added up before is corrected. */
  function passes(scores, values, block, rescale = true) {
    const known = [START];
    for (let at = 0; at < scores.length; at += block) {
      const before = known.at(-1), now = scores.slice(at, at + block);
      const maximum = Math.max(before.maximum, ...now);
      const correction = rescale ? Math.exp(before.maximum - maximum) : 1;
      const exponentials = now.map((score) => Math.exp(score - maximum));
      const sum = exponentials.reduce((so_far, each) => so_far + each, before.sum * correction);
      const mixture = exponentials.reduce((so_far, each, i) => so_far + each * values[at + i], before.mixture * correction);
      known.push({ maximum, sum, mixture, correction });
    }
    return known;
  }

  function draw(stage) {
    const state = { step: 0, rescale: true };
    stage.add("text", { x: 6, y: 14, class: "name", text: "scores, in blocks of two" });
    stage.add("line", { x1: 12, x2: 348, y1: ZERO, y2: ZERO, class: "axis" });
    const bars = SCORES.map((score, i) => {
      const tip = ZERO - score * UNIT, x = LEFT + i * STEP;
      stage.add("text", { x: x + WIDE / 2, y: 158, class: "middle small", text: `v = ${VALUES[i]}` });
      return {
        bar: stage.add("rect", { x, y: Math.min(tip, ZERO), width: WIDE, height: Math.abs(score) * UNIT + 0.5, class: "moves" }),
        text: stage.add("text", { x: x + WIDE / 2, y: score < 0 ? tip + 15 : tip - 5, class: "middle small", text: shown(score, 1) }),
      };
    });
    const line = stage.add("line", { x1: 12, x2: 348, class: "maximum moves" });
    const rows = ["maximum so far  m", "correction  c", "sum so far  ℓ", "mixture so far  o", "output  o / ℓ"].map((name, i) => {
      stage.add("text", { x: 12, y: 190 + 22 * i, text: name });
      return stage.add("text", { x: 348, y: 190 + 22 * i, class: "end code" });
    });
    const go = stage.steps(SCORES.length / BLOCK, (step) => ((state.step = step), show()));
    stage.toggle("scale down what came before, by c", true, (on) => ((state.rescale = on), show()));

    function show() {
      const known = passes(SCORES, VALUES, BLOCK, state.rescale), { step } = state, now = known[step];
      bars.forEach(({ bar, text }, i) => {
        const block = Math.floor(i / BLOCK) + 1;
        set(bar, { class: `moves ${block === step ? "lit" : block < step ? "kept" : "empty"}` });
        set(text, { class: block > step ? "middle small dim" : "middle small" });
      });
      const height = step ? ZERO - now.maximum * UNIT : ZERO;
      set(line, { y1: height, y2: height, opacity: step ? 1 : 0 });
      const output = now.mixture / now.sum;
      const right = passes(SCORES, VALUES, BLOCK).at(-1), truth = right.mixture / right.sum;
      const numbers = [now.maximum, step ? now.correction : NaN, now.sum, now.mixture, output];
      rows.forEach((row, i) => set(row, { text: Number.isNaN(numbers[i]) ? "–" : shown(numbers[i], 3) }));
      const wrong = step === known.length - 1 && Math.abs(output - truth) > 1e-9;
      set(rows.at(-1), { class: wrong ? "end code bad" : "end code" });
      stage.say(sentence(known, step, output, truth, wrong));
    }

    function sentence(known, step, output, truth, wrong) {
      if (!step) return "Nothing is known yet: the maximum starts below everything, at minus infinity.";
      if (wrong) return `Softmax over all scores at once gives ${shown(truth, 3)}, not ${shown(output, 3)}: old sums were kept too large.`;
      const end = step === known.length - 1 ? ` That was the last block: ${shown(truth, 3)} is what softmax over all scores at once gives.` : "";
      if (step === 1) return "The first block: its own maximum, its own sum. Nothing came before, so there is nothing to correct yet.";
      const { maximum, correction } = known[step];
      if (maximum === known[step - 1].maximum) return `No larger score has come, so what was added up stays as it is.${end}`;
      if (!state.rescale) return `A larger score has come, ${shown(maximum, 1)}, and what was added up before is left as it was.${end}`;
      return `A larger score has come, ${shown(maximum, 1)}: everything added up before is multiplied by c = ${shown(correction, 3)}.${end}`;
    }
    go(2);
  }

  figures.add("online-softmax", {
    title: "Softmax without seeing everything.",
    does: "Go through the scores block by block.",
    width: 360,
    height: 292,
    SCORES,
    VALUES,
    BLOCK,
    passes,
    draw,
  });
}
