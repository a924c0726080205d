/* Rotary positions: two hands turn with their places, and their score knows only how far apart they stand. */
"use strict";

{
  const { set, shown, clamp } = figures;
  const SPEED = 0.15, PLACES = 20; // radians a place; places from 0
  const QUERY = [1.2, 0.5], KEY = [1, -0.6]; // one pair of columns of a query and of a key, before they are rotated
  const CENTRE = [100, 116], UNIT = 60, CURVE = { left: 216, right: 348, middle: 116, unit: 38 };

  /** A point rotated about the origin, as far as its place says. */
  function rotate([x, y], place, speed = SPEED) {
    const [cos, sin] = [Math.cos(place * speed), Math.sin(place * speed)];
    return [x * cos - y * sin, x * sin + y * cos];
  }

  /** The score of a query and a key at their places. */
  function score(query_place, key_place, speed = SPEED) {
    const [q, k] = [rotate(QUERY, query_place, speed), rotate(KEY, key_place, speed)];
    return q[0] * k[0] + q[1] * k[1];
  }

  function draw(stage) {
    const state = { query: 8, key: 5 };
    stage.add("circle", { cx: CENTRE[0], cy: CENTRE[1], r: 84, class: "axis hollow" });
    stage.add("text", { x: 8, y: 16, class: "name", text: "one pair of columns" });
    stage.add("text", { x: CURVE.left - 8, y: 16, class: "name", text: "the score" });
    stage.add("line", { x1: CURVE.left, x2: CURVE.right, y1: CURVE.middle, y2: CURVE.middle, class: "axis" });
    const x = (offset) => CURVE.left + ((offset + PLACES) / (2 * PLACES)) * (CURVE.right - CURVE.left);
    const y = (value) => CURVE.middle - value * CURVE.unit;
    const points = Array.from({ length: 161 }, (_, i) => (i / 160) * 2 * PLACES - PLACES);
    stage.add("polyline", { points: points.map((offset) => `${x(offset)},${y(score(offset, 0))}`).join(" "), class: "curve" });
    stage.add("line", { x1: x(0), x2: x(0), y1: CURVE.middle - 64, y2: CURVE.middle + 64, class: "grid" });
    stage.add("text", { x: CURVE.left, y: 204, class: "small", text: "key after" });
    stage.add("text", { x: CURVE.right, y: 204, class: "small end", text: "key before" });
    const dot = stage.add("circle", { r: 6, class: "mark moves" });
    const hands = { query: null, key: null };
    for (const name of Object.keys(hands))
      hands[name] = {
        hand: stage.add("line", { x1: CENTRE[0], y1: CENTRE[1], class: `${name} shaft` }),
        tip: stage.add("circle", { r: 5, class: `${name}` }),
        label: stage.add("text", { class: `${name} name small middle` }),
      };
    const inputs = {};
    for (const name of Object.keys(hands)) {
      const write = (place) => `place ${place}`;
      const change = (place) => ((state[name] = place), show());
      inputs[name] = stage.slider(name, { min: 0, max: PLACES, step: 1, value: state[name], write }, change);
    }
    const shift = (by) => {
      const places = Object.values(state);
      const far = clamp(by, -Math.min(...places), PLACES - Math.max(...places));
      for (const name of Object.keys(hands)) {
        inputs[name].value = state[name] + far;
        inputs[name].dispatchEvent(new Event("input"));
      }
    };
    stage.button("shift both back", () => shift(-1));
    stage.button("shift both on", () => shift(1));
    stage.button("swap their places", () => {
      const { query, key } = state;
      for (const [name, place] of [["query", key], ["key", query]]) {
        inputs[name].value = place;
        inputs[name].dispatchEvent(new Event("input"));
      }
    });

    function show() {
      for (const [name, vector] of [["query", QUERY], ["key", KEY]]) {
        const [right, up] = rotate(vector, state[name]);
        const [at, height] = [CENTRE[0] + UNIT * right, CENTRE[1] - UNIT * up];
        set(hands[name].hand, { x2: at, y2: height });
        set(hands[name].tip, { cx: at, cy: height });
        const far = Math.hypot(right, up), out = (far * UNIT + 14) / far;
        set(hands[name].label, { x: CENTRE[0] + out * right, y: CENTRE[1] - out * up + 4, text: name[0] });
      }
      const offset = state.query - state.key, value = score(state.query, state.key);
      set(dot, { cx: x(offset), cy: y(value) });
      const where = offset > 0 ? `${offset} before the query` : offset < 0 ? `${-offset} after the query` : "at the query's own place";
      stage.say(`The key stands ${where}. The score is ${shown(value, 3)}, wherever in the text that is.`);
    }
    show();
  }

  figures.add("rope", {
    title: "A place is an angle.",
    does: "Shift both words: both hands turn, and the angle between them stays.",
    width: 360,
    height: 214,
    SPEED,
    QUERY,
    KEY,
    rotate,
    score,
    draw,
  });
}
