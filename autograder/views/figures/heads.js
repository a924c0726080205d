/* Splitting into heads: what moves where, and which axis counts what. */
"use strict";

{
  const { set } = figures;
  const WORDS = 3, HEADS = 2, WIDTH = 8, WIDE = WIDTH / HEADS;
  const CELL = 30, LEFT = 48, TOP = 70, GAP = 22;

  // Each step: its code, the axes of its shape, and what happens, in a sentence.
  const STEPS = [
    ["x", "(words, d_model)", "Three words of eight numbers each. The first four are to be head 0, the last four head 1."],
    ["x.reshape(3, 2, 4)", "(words, heads, d_head)", "No number moves: each row is merely read as two pieces of four."],
    ["….swapaxes(0, 1)", "(heads, words, d_head)", "Now the pieces move: every head has a table of its own, with a row for each word."],
    ["attend(…)", "(heads, words, d_head)", "Attention works on the last two axes, so each head mixes its own rows and sees no other head."],
    ["….swapaxes(0, 1)", "(words, heads, d_head)", "The way back: the pieces of a word stand side by side again."],
    ["….reshape(3, 8)", "(words, d_model)", "The pieces are joined, and each word is one row of eight numbers."],
  ];
  const WRONG = ["x.reshape(2, 3, 4)", "(heads, words, d_head)?", "The shape is right and the numbers are not: the rows of head 0 are two pieces of word 0 and one of word 1."];

  /** Shape and values, in the order of memory, of 0, 1, 2, ... after a step. */
  function layout(step, short = false) {
    const values = Array.from({ length: WORDS * WIDTH }, (_, i) => i);
    const shape = [[WORDS, WIDTH], [WORDS, HEADS, WIDE], [HEADS, WORDS, WIDE], [HEADS, WORDS, WIDE], [WORDS, HEADS, WIDE], [WORDS, WIDTH]][step];
    const split = shape[0] === HEADS;
    if (!split || short) return { shape, values };
    const swapped = [];
    for (let head = 0; head < HEADS; head++)
      for (let word = 0; word < WORDS; word++)
        for (let i = 0; i < WIDE; i++) swapped.push(values[word * WIDTH + head * WIDE + i]);
    return { shape, values: swapped };
  }

  /** Where the element at a place in memory is drawn. */
  function place(shape, at) {
    const [row, column] = [Math.floor(at / WIDTH), at % WIDTH];
    if (shape[0] === HEADS) {
      const head = Math.floor(at / (WORDS * WIDE)), rest = at % (WORDS * WIDE);
      return [LEFT + head * (WIDE * CELL + GAP) + (rest % WIDE) * CELL, TOP + Math.floor(rest / WIDE) * CELL];
    }
    const apart = shape.length === 3 && column >= WIDE ? GAP : 0;
    return [LEFT + column * CELL + apart, TOP + row * CELL];
  }

  function draw(stage) {
    const state = { step: 0, short: false };
    const code = stage.add("text", { x: 8, y: 20, class: "code" });
    const shaped = stage.add("text", { x: 8, y: 42, class: "code large" });
    const labels = Array.from({ length: WORDS }, (_, i) => stage.add("text", { x: LEFT - 8, y: TOP + CELL * i + 20, class: "end small" }));
    const titles = Array.from({ length: HEADS }, (_, i) => stage.add("text", { y: TOP - 7, class: "small" }));
    const cells = Array.from({ length: WORDS * WIDTH }, (_, i) => {
      const head = Math.floor((i % WIDTH) / WIDE), word = Math.floor(i / WIDTH);
      const cell = stage.add("g", { class: "moves cell" });
      cell.append(figures.of("rect", { width: CELL - 2, height: CELL - 2, rx: 3, class: `head${head} shade${word}` }));
      cell.append(figures.of("text", { x: CELL / 2 - 1, y: 19, class: "middle small", text: i }));
      return cell;
    });
    const go = stage.steps(STEPS.length - 1, (step) => ((state.step = step), show()));
    stage.toggle("a tempting short cut at step 2: reshape alone", false, (on) => {
      state.short = on;
      go(on ? 2 : state.step);
    });

    function show() {
      const wrong = state.short && (state.step === 2 || state.step === 3);
      const { shape, values } = layout(state.step, wrong);
      const [does, axes, sentence] = wrong ? WRONG : STEPS[state.step];
      set(code, { text: does, class: wrong ? "code bad" : "code" });
      set(shaped, { text: `(${shape.join(", ")})  =  ${axes}` });
      values.forEach((value, at) => {
        const [x, y] = place(shape, at);
        set(cells[value], { style: `transform: translate(${x}px, ${y}px)`, "data-at": at });
      });
      labels.forEach((label, i) => set(label, { text: wrong ? "" : `word ${i}` }));
      titles.forEach((title, i) => {
        const [x] = place(shape, shape[0] === HEADS ? i * WORDS * WIDE : i * WIDE);
        set(title, { x, text: shape.length === 3 ? `head ${i}` : "" });
      });
      stage.say(sentence);
    }
    go(0);
  }

  figures.add("heads", {
    title: "Split, attend, merge.",
    does: "Follow 24 numbers through the shapes. Blue is head 0, red head 1; each word has a shade of its own.",
    width: 360,
    height: 168,
    layout,
    draw,
  });
}
