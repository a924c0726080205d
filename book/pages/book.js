/* What pages of the book do beside figures: copy a stub, answer a prediction, load what `live.js` adds. */
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const code = document.querySelector(`#${button.dataset.copies} code`).textContent;
  try {
    await navigator.clipboard.writeText(code);
    button.textContent = "Copied";
  } catch {
    document.querySelector(`#${button.dataset.copies}`).closest("details").open = true;
    button.textContent = "Your browser refused; copy it below";
  }
  setTimeout(() => (button.textContent = "Copy the stub"), 3000);
});

/* Predictions: read as `autograder/questions/computed.py` reads them. */
const predictions = {
  known(form) {
    const bytes = Uint8Array.from(atob(form.dataset.known), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  },

  number(text) {
    const plain = text.trim().toLowerCase().replace(/^(about|ca\.?|=|≈|~)\s*/, "").replace(/−/g, "-");
    const parts = plain.replace(/(\d),(?=\d)/g, "$1.").replace(/ /g, "").match(/^([^/%]+)(?:\/([^/%]+))?(%?)$/);
    if (!parts) return null;
    const value = [parts[1], parts[2] ?? "1"].map((part) => (/^[+-]?[\d.]+(e[+-]?\d+)?$/.test(part) ? Number(part) : NaN));
    const quotient = value[0] / value[1] / (parts[3] ? 100 : 1);
    return Number.isFinite(quotient) ? quotient : null;
  },

  shape(text) {
    const plain = text.toLowerCase().replace(/^(a )?(shape|tuple|torch\.size)\s*/, "");
    if (!/^[\d\s,x×*()[\]by]*$/.test(plain)) return null;
    const numbers = plain.match(/\d+/g);
    return numbers ? numbers.map(Number) : ["()", "[]"].includes(plain) ? [] : null;
  },

  letter: (text) => text || null,

  same(one, other, [relative, absolute]) {
    if (typeof one === "number" && typeof other === "number")
      return Math.abs(one - other) <= relative * Math.abs(other) + absolute;
    return JSON.stringify(one) === JSON.stringify(other);
  },

  /** What is said to an answer, and whether it is right. */
  reply(known, text) {
    const answer = this[known.kind](text);
    if (answer === null) return [false, { number: "A number, such as 0.25.", shape: "A shape, such as (2, 3).", letter: "Choose one." }[known.kind]];
    if (this.same(answer, known.right, known.within)) return [true, `Yes. ${known.because}`];
    const wrong = known.wrong.find(([each]) => this.same(answer, each, known.within));
    return [false, `No. ${wrong?.[1] || "The result is different."}`];
  },
};

for (const form of document.querySelectorAll(".prediction")) {
  const [check, show] = form.querySelectorAll("button"), said = form.querySelector("[role=status]");
  const tell = (right, words) => {
    form.classList.toggle("right", right);
    said.textContent = words;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell(...predictions.reply(predictions.known(form), new FormData(form).get("prediction") ?? ""));
  });
  show.addEventListener("click", () => {
    const { solution, because } = predictions.known(form);
    tell(false, `It is ${solution} ${because}`);
  });
  check.hidden = show.hidden = false;
}

/* The search asks for all words that say something, and for any of them if no section has all. */
const FILLERS = new Set("a an and are as at by can do does for from how i if in is it its of on or the to we what when where which why with you".split(" "));
const search = { send: Worker.prototype.postMessage, text: "", operator: "and", waiting: 0 };
search.query = (text) => {
  const words = [...text.matchAll(/[^\s\-_,:!?=[\]()\\"'`/]+/g)];
  const wanted = words.filter(([word]) => !FILLERS.has(word.toLowerCase()));
  const operands = (wanted.length ? wanted : words).map(({ 0: data, index: start }, value) => ({
    type: "value", data: { field: "*", value: { type: "prefix", data }, range: { start, end: start + data.length, value } },
  }));
  return operands.length ? { type: "operator", data: { operator: search.operator, operands } } : text;
};
Worker.prototype.postMessage = function (message) {
  if (message?.type === 0) this.addEventListener("message", ({ data }) => {
    if (data.type !== 3 || --search.waiting || data.data.items.length || search.operator === "or") return;
    search.operator = "or";
    this.postMessage(search.message);
  });
  const text = message?.type === 2 && message.data?.input;
  if (typeof text !== "string") return search.send.call(this, message);
  if (text !== search.text) [search.text, search.operator] = [text, "and"];
  search.waiting++;
  search.message = message;
  search.send.call(this, { ...message, data: { ...message.data, input: search.query(text) } });
};

/* The code of pictures is folded away, all of it, until it is wanted. */
const codes = document.querySelectorAll("article details.code");
if (codes.length) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "switch" });
  const set = (shown) => {
    document.body.classList.toggle("hides-code", !shown);
    button.textContent = shown ? "Hide the code of the pictures" : "Show the code of the pictures";
    button.setAttribute("aria-pressed", shown);
  };
  button.onclick = () => set(document.body.classList.contains("hides-code"));
  document.querySelector("article .summary")?.after(button);
  set(false);
}

/* Where `attn book` serves the pages, they have a learner's folder behind them. */
const live = location.pathname.match(/^\/attn-[\w-]+\//)?.[0];
if (live) import(`${live}live.js`);
