/* A training in steps: the loss, what the model of `translate` writes, and where it looks. */
"use strict";

{
  const { set, shown } = figures;
  const PLOT = { left: 40, right: 348, top: 26, bottom: 106, least: 0.002, most: 3 };
  const MAPS = { top: 186, left: 42, pitch: 116, cell: 28 };

  /** Where a sentence's word looks at a step, from 0 to 1. */
  function weights({ frames }, step, every, sentence) {
    const bytes = figures.bytes(frames[step / every].weights).subarray(9 * sentence, 9 * sentence + 9);
    return Array.from(bytes, (byte) => byte / 255);
  }

  function draw(stage) {
    const { every, sources, ...models } = figures.data.learning, last = models.attention.losses.length;
    const state = { step: 24, model: "attention" };
    const x = (step) => PLOT.left + (step / last) * (PLOT.right - PLOT.left);
    const y = (loss) => PLOT.top + (Math.log(PLOT.most / Math.max(loss, PLOT.least)) / Math.log(PLOT.most / PLOT.least)) * (PLOT.bottom - PLOT.top);
    stage.add("text", { x: 4, y: 14, class: "name", text: "loss on 36 sentences" });
    for (const loss of [1, 0.1, 0.01]) {
      stage.add("line", { x1: PLOT.left, x2: PLOT.right, y1: y(loss), y2: y(loss), class: "grid" });
      stage.add("text", { x: PLOT.left - 6, y: y(loss) + 4, class: "end small", text: loss });
    }
    const curves = Object.entries(models).map(([name, { losses }]) => {
      const line = stage.add("polyline", { points: losses.map((loss, step) => `${x(step)},${y(loss)}`).join(" ") });
      return { name, line, label: stage.add("text", { x: PLOT.right, y: y(losses.at(-1)) - 5, class: "end small", text: name }) };
    });
    const mark = stage.add("circle", { r: 6, class: "mark moves" });
    const maps = sources.map((words, sentence) => {
      const left = MAPS.left + MAPS.pitch * sentence;
      stage.add("text", { x: left - 38, y: MAPS.top - 46, class: "name small", text: sentence ? "held back" : "practised" });
      words.forEach((word, i) => stage.add("text", { x: left + MAPS.cell * (i + 0.5), y: MAPS.top - (i === 1 ? 22 : 8), class: "middle small", text: word }));
      const cells = Array.from({ length: 9 }, (_, i) => ({
        face: stage.add("rect", { x: left + MAPS.cell * (i % 3), y: MAPS.top + MAPS.cell * Math.floor(i / 3), width: MAPS.cell - 1, height: MAPS.cell - 1, class: "face" }),
        lit: stage.add("rect", { x: left + MAPS.cell * (i % 3), y: MAPS.top + MAPS.cell * Math.floor(i / 3), width: MAPS.cell - 1, height: MAPS.cell - 1, class: "lit moves" }),
      }));
      const written = words.map((_, i) => stage.add("text", { x: left - 6, y: MAPS.top + MAPS.cell * (i + 0.5) + 4, class: "end small" }));
      return { cells, written };
    });
    const write = (step) => `step ${step}`;
    stage.slider("training", { min: 0, max: last, step: every, value: 24, write }, (step) => ((state.step = step), show()));
    stage.toggle("the average in place of attention", false, (on) => ((state.model = on ? "average" : "attention"), show()));

    function show() {
      const model = models[state.model], { words } = model.frames[state.step / every];
      const loss = model.losses[Math.min(state.step, last - 1)];
      for (const { name, line, label } of curves) {
        set(line, { class: name === state.model ? "curve" : "curve dim" });
        set(label, { class: name === state.model ? "end small" : "end small dim" });
      }
      set(mark, { cx: x(state.step), cy: y(loss) });
      maps.forEach(({ cells, written }, sentence) => {
        weights(model, state.step, every, sentence).forEach((weight, i) => set(cells[i].lit, { opacity: weight }));
        written.forEach((text, i) => set(text, { text: words[sentence][i] }));
      });
      stage.say(`After ${state.step} steps the loss is ${shown(loss, 3)}. “${sources[1].join(" ")}”, which it has never met, becomes “${words[1].join(" ")}”.`);
    }
    show();
  }

  figures.add("learning", {
    title: "Watch it learn.",
    does: "Move through 200 steps: what it writes stands at the left of each map, what it reads above.",
    width: 360,
    height: 280,
    weights,
    draw,
  });
}
