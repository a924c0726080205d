/* What all figures share: how one is started, how it draws, and its controls, each for mouse, finger and keyboard.
 *
 * A figure is a file `NAME.js` that calls `figures.add(NAME, {title, does, width, height, draw})`. Every element with
 * `data-figure="NAME"` then becomes that figure. What it computes are plain functions beside `draw`, which tests call.
 */
"use strict";

window.figures ??= (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const added = {}, data = {}, decoded = {}; // data: what a script of numbers beside a figure's has put there

  /** A new element with attributes and children; `of` makes elements of SVG, `html` of the page. */
  const made = (node, attributes, children) => {
    set(node, attributes);
    node.append(...children);
    return node;
  };
  const of = (kind, attributes = {}, ...children) => made(document.createElementNS(SVG, kind), attributes, children);
  const html = (kind, attributes = {}, ...children) => made(document.createElement(kind), attributes, children);

  /** Set attributes; `text` is the words inside, and what is false or null is taken away. */
  function set(node, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "text") node.textContent = value;
      else if (value === false || value === null) node.removeAttribute(name);
      else node.setAttribute(name, value === true ? "" : value);
    }
    return node;
  }

  /** A number as one reads it: few digits, a real minus. */
  function shown(number, digits = 2) {
    if (Number.isNaN(number)) return "NaN";
    if (!Number.isFinite(number)) return number > 0 ? "inf" : "−inf";
    const size = Math.abs(number);
    const written = size >= 1e5 || (size > 0 && size < 10 ** -digits / 2) ? number.toExponential(1) : number.toFixed(digits);
    return written.replace(/^-(0(\.0+)?)$/, "$1").replace(/-/g, "−").replace("e+", "e");
  }

  const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

  /** Softmax of a row of scores, in which -Infinity is masked. */
  function softmax(scores) {
    const largest = Math.max(...scores), exponentials = scores.map((score) => Math.exp(score - largest));
    const sum = exponentials.reduce((one, other) => one + other);
    return exponentials.map((each) => each / sum);
  }

  /** Numbers from 0 to 255 that were written as base64. */
  const bytes = (written) => (decoded[written] ??= Uint8Array.from(atob(written), (letter) => letter.charCodeAt(0)));

  class Stage {
    constructor(root, figure) {
      const size = `0 0 ${figure.width} ${figure.height}`;
      this.root = root;
      this.drawing = of("svg", { viewBox: size, role: "group", "aria-label": figure.title });
      this.controls = html("div", { class: "controls" });
      this.said = html("p", { class: "said", role: "status" });
      const title = html("p", { class: "title" }, html("strong", { text: figure.title }), ` ${figure.does}`);
      set(root, { class: "figure", role: "group", "aria-label": `A figure to touch: ${figure.title}` });
      root.replaceChildren(title, this.drawing, this.controls, this.said);
    }

    /** Add a shape to the drawing. */
    add(kind, attributes, ...children) {
      return this.drawing.appendChild(of(kind, attributes, ...children));
    }

    /** What is to be seen now, in a sentence. */
    say(sentence) {
      if (this.said.textContent !== sentence) this.said.textContent = sentence;
    }

    /** A slider; `write` turns its value into words. */
    slider(label, { min, max, step, value, write = shown }, change) {
      const input = html("input", { type: "range", min, max, step, value });
      const output = html("output", { text: write(value), "aria-live": "off" }); // the slider says it
      input.addEventListener("input", () => {
        set(output, { text: write(Number(input.value)) });
        set(input, { "aria-valuetext": write(Number(input.value)) });
        change(Number(input.value));
      });
      set(input, { "aria-valuetext": write(value) });
      this.controls.append(html("label", { class: "slider" }, html("span", { text: label }), input, output));
      return input;
    }

    /** A switch that is on or off. */
    toggle(label, on, change) {
      const input = html("input", { type: "checkbox" });
      input.checked = on;
      input.addEventListener("change", () => change(input.checked));
      this.controls.append(html("label", {}, input, label));
      return input;
    }

    button(label, act) {
      const button = html("button", { type: "button", text: label });
      button.addEventListener("click", act);
      this.controls.append(button);
      return button;
    }

    /** Buttons that go through numbered steps; `change` gets the number. */
    steps(last, change) {
      const go = (to) => {
        at = clamp(to, 0, last);
        set(count, { text: `step ${at} of ${last}` });
        set(back, { "aria-disabled": String(at === 0) });
        set(next, { "aria-disabled": String(at === last) });
        change(at);
      };
      let at = 0;
      const back = this.button("Back", () => go(at - 1));
      const next = this.button("Next", () => go(at + 1));
      this.button("From the start", () => go(0));
      const count = this.controls.appendChild(html("span", { class: "count" }));
      return go;
    }

    /** Where a pointer is, in the drawing's own units. */
    place(event) {
      return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.drawing.getScreenCTM().inverse());
    }

    /** Let a shape be moved with the arrow keys; gives a function that says where it is.
     *
     * `by` gets steps to the right and upwards, and `tell` gives what a screen reader says: {now, least, most, words}.
     */
    arrows(shape, label, { by, tell }) {
      const say = () => {
        const { now, least, most, words } = tell();
        set(shape, { "aria-valuenow": now, "aria-valuemin": least, "aria-valuemax": most, "aria-valuetext": words });
      };
      set(shape, { tabindex: 0, role: "slider", "aria-label": label });
      shape.addEventListener("keydown", (event) => {
        const size = event.shiftKey ? 5 : 1;
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!steps) return;
        event.preventDefault();
        by(size * steps[0], size * steps[1]);
        say();
      });
      say();
      return say;
    }

    /** Let a shape be dragged, or moved with the arrow keys; `to` gets the place of a pointer. */
    handle(shape, label, { to, by, tell }) {
      set(shape, { class: `${shape.getAttribute("class") ?? ""} handle` });
      const say = this.arrows(shape, label, { by, tell });
      shape.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // or the page scrolls
      shape.addEventListener("pointerdown", (event) => {
        shape.setPointerCapture(event.pointerId);
        shape.focus({ preventScroll: true });
        event.preventDefault();
      });
      shape.addEventListener("pointermove", (event) => {
        if (!shape.hasPointerCapture(event.pointerId)) return;
        const { x, y } = this.place(event);
        to(x, y);
        say();
      });
      return shape;
    }
  }

  function start(root) {
    const figure = added[root.dataset.figure];
    if (!figure || root.dataset.ready) return;
    figure.draw(new Stage(root, figure), root.dataset);
    root.dataset.ready = "yes";
  }

  function add(name, figure) {
    added[name] = figure;
    document.querySelectorAll(`[data-figure="${name}"]`).forEach(start);
  }

  return { add, added, data, of, html, set, shown, clamp, softmax, bytes };
})();
