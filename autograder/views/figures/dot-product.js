/* The dot product of two arrows: the length of one, times the shadow that the other throws on it. */
"use strict";

{
  const { set, shown, clamp } = figures;
  const CENTRE = [180, 132], UNIT = 24, REACH = 5;

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const size = (a) => Math.hypot(...a);

  /** How far along `b` the tip of `a` lies. */
  const shadow = (a, b) => (size(b) ? dot(a, b) / size(b) : 0);

  /** The angle between two arrows, in degrees. */
  const angle = (a, b) => (size(a) * size(b) ? (Math.acos(clamp(dot(a, b) / (size(a) * size(b)), -1, 1)) * 180) / Math.PI : NaN);

  const place = ([x, y]) => [CENTRE[0] + UNIT * x, CENTRE[1] - UNIT * y];

  function draw(stage) {
    const arrows = { query: [3, 2], key: [4, -1] };
    for (let at = -REACH; at <= REACH; at++) {
      const [x, y] = place([at, at]);
      stage.add("line", { x1: x, x2: x, y1: place([0, REACH])[1], y2: place([0, -REACH])[1], class: at ? "grid" : "axis" });
      stage.add("line", { y1: y, y2: y, x1: place([-REACH, 0])[0], x2: place([REACH, 0])[0], class: at ? "grid" : "axis" });
    }
    const fall = stage.add("line", { class: "quiet dashed" });
    const shade = stage.add("line", { class: "shadow" });
    const parts = Object.entries(arrows).map(([name, arrow]) => {
      const part = {
        name,
        shaft: stage.add("line", { x1: CENTRE[0], y1: CENTRE[1], class: `${name} shaft` }),
        label: stage.add("text", { class: `${name} name` }),
        tip: stage.add("circle", { r: 9, class: `${name} grip` }),
      };
      const move = (x, y) => {
        arrows[name] = [x, y].map((number) => clamp(Math.round(number * 2) / 2, -REACH, REACH));
        show();
      };
      stage.handle(part.tip, `tip of the ${name}`, {
        to: (x, y) => move((x - CENTRE[0]) / UNIT, (CENTRE[1] - y) / UNIT),
        by: (right, up) => move(arrows[name][0] + right / 2, arrows[name][1] + up / 2),
        tell: () => ({ now: arrows[name][0], least: -REACH, most: REACH, words: arrows[name].join(", ") }),
      });
      return part;
    });
    const sum = stage.add("text", { x: 180, y: 278, class: "middle large" });

    function show() {
      const { query, key } = arrows;
      const along = shadow(query, key), length = size(key);
      const foot = place(length ? key.map((number) => (number * along) / length) : [0, 0]);
      for (const part of parts) {
        const arrow = arrows[part.name], [x, y] = place(arrow);
        set(part.shaft, { x2: x, y2: y });
        set(part.tip, { cx: x, cy: y });
        set(part.label, { x: clamp(x + 13, 40, 310), y: clamp(y - 11, 14, 258), text: part.name });
      }
      const tip = place(query);
      set(fall, { x1: tip[0], y1: tip[1], x2: foot[0], y2: foot[1] });
      set(shade, { x1: CENTRE[0], y1: CENTRE[1], x2: foot[0], y2: foot[1], class: along < 0 ? "shadow bad" : "shadow" });
      const products = query.map((number, i) => `${bracket(number)}·${bracket(key[i])}`);
      set(sum, { text: `${products.join(" + ")} = ${bracket(dot(query, key)).replace(/[()]/g, "")}` });
      stage.say(sentence(query, key, along));
    }

    function sentence(query, key, along) {
      if (!size(query) || !size(key)) return "An arrow without length has the dot product 0 with everything.";
      const between = `The angle is ${shown(angle(query, key), 0)}°.`;
      if (!dot(query, key)) return `${between} At a right angle the query throws no shadow on the key: the score is 0.`;
      const way = dot(query, key) > 0 ? "" : " It falls on the far side, so the score is negative.";
      return `${between} The query's shadow on the key is ${shown(along)} long, the key ${shown(size(key))}: their product is the score.${way}`;
    }
    show();
  }

  const bracket = (number) => {
    const written = String(number).replace("-", "−");
    return number < 0 ? `(${written})` : written;
  };

  figures.add("dot-product", {
    title: "A score is a dot product.",
    does: "Drag the tip of an arrow.",
    width: 360,
    height: 290,
    dot,
    shadow,
    angle,
    draw,
  });
}
