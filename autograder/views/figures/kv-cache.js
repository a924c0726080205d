/* Writing word by word: what is computed anew at each step, with a cache of keys and values and without. */
"use strict";

{
  const { set } = figures;
  const WORDS = ["Your", "journey", "starts", "with", "one", "step"];
  const CELL = 40, LEFT = 96, TOP = 46;

  /** How many words had their key and value computed: in this step, and in all steps so far. */
  function computed(step, cache) {
    return cache ? { now: step ? 1 : 0, all: step } : { now: step, all: (step * (step + 1)) / 2 };
  }

  function draw(stage) {
    const state = { step: 0, cache: true };
    const fresh = stage.add("text", { x: 8, y: 16, class: "small" });
    const columns = WORDS.map((word, i) => stage.add("text", { x: LEFT + CELL * i + 19, y: TOP - 8, class: "middle small", text: `k v` }));
    const rows = WORDS.map((word, i) => {
      const y = TOP + CELL * 0.72 * i;
      const label = stage.add("text", { x: LEFT - 10, y: y + 18, class: "end", text: word });
      const cells = WORDS.slice(0, i + 1).map((_, j) => {
        const cell = stage.add("g", {});
        cell.append(figures.of("rect", { x: LEFT + CELL * j, y, width: CELL - 3, height: CELL * 0.72 - 3, rx: 3, class: "moves" }));
        cell.append(figures.of("text", { x: LEFT + CELL * j + 19, y: y + 18, class: "middle small" }));
        return cell;
      });
      return { label, cells };
    });
    const counters = ["with a cache", "without"].map((name, i) => ({
      name: stage.add("text", { x: 8, y: 244 + 24 * i, text: name }),
      bar: stage.add("rect", { x: 112, y: 231 + 24 * i, height: 17, rx: 2, class: "moves" }),
      count: stage.add("text", { y: 244 + 24 * i, class: "small" }),
    }));
    const go = stage.steps(WORDS.length, (step) => ((state.step = step), show()));
    stage.toggle("keep keys and values in a cache", true, (on) => ((state.cache = on), show()));

    function show() {
      set(fresh, { text: state.step ? `keys and values that word ${state.step} attends to:` : "Nothing has been read yet." });
      columns.forEach((column, j) => set(column, { class: j < state.step ? "middle small" : "middle small dim" }));
      rows.forEach(({ label, cells }, i) => {
        set(label, { class: i < state.step ? "end" : "end dim" });
        cells.forEach((cell, j) => {
          const there = i < state.step, made = there && (!state.cache || j === i);
          const [rect, text] = cell.children;
          set(rect, { class: `moves ${made ? "lit" : there ? "kept" : "empty"}` });
          set(text, { text: there ? (made ? "new" : "kept") : "", class: `middle small ${made ? "on" : ""}` });
        });
      });
      [true, false].forEach((cache, i) => {
        const { all } = computed(state.step, cache);
        set(counters[i].bar, { width: 2 + all * 9, class: `moves ${cache === state.cache ? "lit" : "kept"}` });
        set(counters[i].count, { x: 120 + all * 9, text: all });
      });
      stage.say(sentence());
    }

    function sentence() {
      if (!state.step) return "Press Next: each step reads one word, which attends to itself and to all before it.";
      const { now } = computed(state.step, state.cache), all = [true, false].map((cache) => computed(state.step, cache).all);
      const anew = now === 1 ? "one word's key and value" : `keys and values of ${now} words`;
      return `This step computed ${anew}. So far: ${all[0]} with a cache, ${all[1]} without, and the same output.`;
    }
    go(3);
  }

  figures.add("kv-cache", {
    title: "Compute each key and value once.",
    does: "Read one word at a time, with a cache and without.",
    width: 360,
    height: 284,
    computed,
    draw,
  });
}
