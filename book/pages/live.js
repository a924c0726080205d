/* Where `attn book` serves the pages: a place to write under each exercise, its verdict, and ticks at what is done. */
import { makeEditor } from "./editor.js";

const [root] = location.pathname.match(/^\/attn-[\w-]+\//);
const page = location.pathname.match(/(\w+)\.html$/)?.[1] ?? "";
const SAVE_AFTER = 700; // milliseconds without a key
const LONGEST = 100_000; // characters of one answer, which are as many as can be judged
const GONE = "The book's server has stopped. Your code is kept in this browser. Continue in a newer tab of the book. If there is none, run attn book again in the same folder: it opens one.";
const DEBUG = "debug/", CHECKING = "Checking …";
const tidy = (text) => text.replace(/^\n+|\s+$/g, ""); // as the file's side does it
const element = (name, properties, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    /^(role|aria-)/.test(key) ? made.setAttribute(key, value) : (made[key] = value);
  made.append(...children);
  return made;
};

/* The way to the folder: a page is told what the files hold, and asks for what its learner wants. */
const folder = {
  socket: null, waiting: new Map(), asked: 0, isHere: false, word: "",

  connect() {
    this.socket = new WebSocket(`ws://${location.host}${root}live/${page}`);
    this.socket.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      if (!told.page) return this.answer(told.id, told);
      this.word ||= told.word;
      if (told.word !== this.word) return this.socket.close(); // another program has the port now: it is told nothing
      this.found(true);
      show(told.page);
    };
    this.socket.onclose = () => {
      this.found(false);
      for (const id of [...this.waiting.keys()]) this.answer(id, { isGone: true });
      setTimeout(() => this.connect(), 1000);
    };
  },

  found(isHere) {
    if (this.isHere === isHere) return;
    this.isHere = isHere;
    gone.textContent = isHere ? "" : GONE;
    for (const sheet of Object.values(sheets)) {
      sheet.version = 0;
      if (isHere === (sheet.state.textContent === GONE)) sheet.say(gone.textContent); // where the learner looks
      if (isHere) sheet.saveSoon(0);
    }
  },

  answer(id, told) {
    this.waiting.get(id)?.(told);
    this.waiting.delete(id);
  },

  ask(request) {
    if (!this.isHere) return Promise.resolve({ isGone: true });
    const id = ++this.asked;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ ...request, id }));
    });
  },
};

/* What was typed and is in no file yet, kept for as long as that is so: a line for each tab. */
const drafts = {
  tab: Math.random().toString(36).slice(2),
  owner: "",
  key(name) { return `attn ${this.owner} ${name} ${this.tab}`; },
  keep(name, base, text) { this.write(this.key(name), JSON.stringify({ base, text })); },
  drop(name) { this.write(this.key(name), null); },
  write(key, value) {
    try {
      value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value);
    } catch { /* a browser that keeps nothing */ }
  },
  /** Those that other tabs, or earlier visits, have left. */
  left(name) {
    const start = `attn ${this.owner} ${name} `, keys = Object.keys(localStorage);
    return keys.filter((key) => key.startsWith(start) && key !== this.key(name)).map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) }));
  },
};

/** The place to write one answer, or to repair one bug. */
class Sheet {
  constructor(name, before) {
    this.name = name;
    this.exercise = name.replace(DEBUG, "");
    this.isBug = name.startsWith(DEBUG);
    this.base = null; // what the file held when the editor last agreed with it
    this.sent = null; // what is on its way there
    this.version = 0;
    this.line = 1;
    this.turn = Promise.resolve();
    const title = this.isBug ? `Find the bug in ${this.exercise}` : `Your answer: ${this.exercise}`;
    const button = (text, act, properties) => element("button", { type: "button", textContent: text, onclick: act, ...properties });
    this.buttons = {
      check: button("Check", () => this.check(), { title: "Ctrl-Enter, in the editor" }),
      stop: button("Stop", () => this.do({ do: "stop" }), { hidden: true }),
      hint: button("Hint", () => this.do({ do: "hint" }), { hidden: this.isBug }),
      solution: button(this.isBug ? "Tell me" : "Solution", () => this.ask({ do: "solution" })),
      versions: button("Earlier versions", () => this.showVersions()),
      reset: button("Start over", () => this.reset(), { hidden: this.isBug }),
      bug: button("Find a bug", () => this.ask({ do: "start bug hunt" }), { hidden: true, title: "Fix an answer that looks correct and is not" }),
    };
    this.place = element("span", { className: "place" });
    this.state = element("p", { className: "state", role: "status" });
    this.alert = element("div", { className: "differs", role: "alert" });
    this.told = element("div", { className: "told", "aria-live": "polite" });
    this.verdict = element("div", { className: "verdict", role: "region", "aria-label": `Verdict on ${this.exercise}`, tabIndex: -1 });
    const write = element("div", { className: "editor" });
    const help = "Tab indents; Escape, then Tab, leaves the editor. Ctrl-Enter checks.";
    this.node = element(
      "section", { className: "sheet", "aria-label": title },
      element("p", { className: "title" }, element("strong", { textContent: title }), " ", this.place),
      this.alert, write, element("p", { className: "help", textContent: help }),
      element("div", { className: "buttons" }, ...Object.values(this.buttons)), this.state, this.verdict, this.told,
    );
    before.before(this.node);
    this.editor = makeEditor(write, {
      label: `${title}. ${help}`, firstLine: () => this.line, changed: () => this.changed(), check: () => this.check(),
    });
  }

  get text() { return tidy(this.editor.text); }
  get isTyped() { return this.base !== null && this.text !== this.base; }

  /** The editor holds another text than before, whoever put it there. */
  changed() {
    if (this.base === null) return;
    this.freshen();
    if (!this.isTyped) return drafts.drop(this.name);
    drafts.keep(this.name, this.base, this.text);
    this.saveSoon(SAVE_AFTER);
  }

  saveSoon(milliseconds) {
    clearTimeout(this.timer);
    const act = () => (this.differs ? this.keep(this.text) : this.save("save")); // no file takes it before a choice is made
    if (this.isTyped) this.timer = setTimeout(act, milliseconds);
  }

  /** Put what was typed into the file, after whatever is on its way there; with "check" it is judged, too. */
  save(act, confirmed = "") {
    clearTimeout(this.timer);
    this.turn = this.turn.then(async () => {
      if (this.base === null || (act === "save" && !this.isTyped)) return;
      if (this.text.length > LONGEST) return this.say(`This is longer than ${LONGEST} characters and is not saved. Shorten it.`);
      this.sent = this.text;
      const sent = this.sent, request = { do: act, sheet: this.name, base: this.base, text: sent, confirmed };
      const reply = await folder.ask(request);
      this.sent = null;
      if (this.isAsking) this.settle(); // another text was asked about
      if (reply.conflict !== undefined) this.offer(reply.conflict);
      else if (reply.loses) this.confirm(reply.loses, act);
      else if (reply.version) {
        this.version = reply.version;
        this.base = sent;
        this.changed(); // what was typed since then is a draft of this
      } else if (reply.told) this.say(reply.told);
    });
    return this.turn;
  }

  /** Ask before a save that takes away much. Until then the file keeps what it has; typing on asks anew. */
  confirm(sentence, act) {
    this.say("");
    this.choose(`${sentence} The file still has:`, this.base,
      ["Put it back", () => this.editor.replace(this.base)], ["Remove it", () => this.save(act, "yes")]);
    this.differs = false;
    this.isAsking = true;
  }

  /** What is taken out of the editor is among the earlier versions. */
  keep(text) { return folder.ask({ do: "keep", sheet: this.name, text }); }

  async showVersions() {
    await this.save("save");
    const { versions } = await this.do({ do: "versions" });
    if (!versions) return;
    if (!versions.length) return this.told.replaceChildren(element("p", { textContent: "There are no earlier versions yet." }));
    const fold = ({ text, time, passed }) => element("details", {},
      element("summary", { textContent: `${time}${passed ? ": this one passed" : ""}` }), element("pre", { textContent: text }),
      element("button", { type: "button", textContent: "Put it back", onclick: () => (this.editor.replace(text), this.editor.focus()) }));
    this.told.replaceChildren(...versions.map(fold));
  }

  check() {
    if (this.differs) return this.alert.querySelector("button").focus();
    if (!folder.isHere) return this.say(gone.textContent);
    this.say(CHECKING);
    return this.save("check");
  }

  /** Ask for something that is said in words; where it asks back, do it after a yes. */
  async ask(request, more = { gives_up: "" }) {
    const reply = await this.do({ ...request, ...more });
    if (reply.asks && confirm(reply.asks)) await this.do({ ...request, gives_up: "yes" });
  }

  async reset() {
    if (!confirm(`Restore the stub of ${this.exercise}? Your code stays in “Earlier versions”.`)) return;
    await this.save("save");
    await this.do({ do: "start over" });
  }

  async do(request) {
    const reply = await folder.ask({ ...request, sheet: this.name });
    if (reply.isGone) this.say(gone.textContent);
    if (reply.told) this.say(reply.told);
    if (reply.lines) {
      if (request.do !== "hint" || !this.told.querySelector(".hint")) this.told.replaceChildren();
      this.told.append(...reply.lines.map((line) => element("p", { className: request.do, innerHTML: line })));
    }
    if (reply.code) this.told.replaceChildren(element("pre", {}, ...reply.code.map(compared)),
      element("p", { textContent: "Lines with + are in the solution, lines with - only in your code. Type the solution yourself, then check." }));
    if (reply.lines || reply.code) this.told.lastElementChild?.scrollIntoView({ block: "nearest" });
    return reply;
  }

  /** Say it; what the card below shows as well is for the ear alone. */
  say(sentence, isShown = false) {
    this.state.textContent = sentence;
    this.state.classList.toggle("spoken", isShown);
  }

  /** What the folder tells of it. */
  tell(told, version) {
    if (told.note && told.note.number !== this.noted) {
      this.noted = told.note.number;
      this.say(told.note.text);
    }
    if (told.trouble) return this.say(told.trouble);
    this.line = Number(told.place.split(":").pop());
    this.place.textContent = told.place;
    this.buttons.stop.hidden = !told.is_checked;
    this.node.classList.toggle("checking", told.is_checked);
    this.buttons.bug.hidden = this.isBug || !told.is_open;
    if (version >= this.version) this.take(told.text);
    this.judged(told.found);
    if (this.wasChecked && !told.is_checked && this.state.textContent === CHECKING) this.say(""); // another check came first
    this.wasChecked = told.is_checked;
  }

  /** The file holds this now. */
  take(text) {
    if (this.base === null) return this.begin(text);
    if (text === this.base) return;
    const isMine = text === this.text || text === this.sent;
    if (!isMine && this.isTyped) return this.offer(text);
    const isOther = !isMine;
    this.base = text;
    if (isOther) this.editor.load(text);
    this.settle();
    this.changed();
  }

  begin(text) {
    this.base = text;
    this.editor.load(text);
    this.editor.fold();
    for (const draft of drafts.left(this.name)) {
      const takes = () => {
        drafts.write(draft.key, null);
        this.editor.load(draft.text);
      };
      if (draft.text === text) drafts.write(draft.key, null);
      else if (draft.base === text && !this.isTyped) takes();
      else this.choose("You typed this in this browser, and it was not saved in the file:", draft.text,
        ["Use it", takes], ["Discard it", () => { this.keep(draft.text); drafts.write(draft.key, null); }]);
    }
  }

  /** The file holds another text than the one that was changed here: nobody but the learner knows which one to keep. */
  offer(text) {
    this.keep(this.text);
    this.choose("The file changed while you were typing here. It now contains:", text,
      ["Keep mine", () => { this.base = text; this.changed(); this.save("save"); }],
      ["Take the file's", () => { this.keep(this.text); this.base = text; this.editor.load(text); drafts.drop(this.name); }]);
  }

  choose(sentence, text, ...ways) {
    clearTimeout(this.timer);
    this.differs = true;
    const buttons = ways.map(([label, act]) => element("button", { type: "button", textContent: label, onclick: () => { this.settle(); act(); this.editor.focus(); } }));
    const mine = new Set(this.text.split("\n"));
    const lines = text.split("\n").map((line) => element(mine.has(line) ? "span" : "mark", { textContent: `${line}\n` }));
    const shown = element("pre", {}, ...lines);
    this.alert.replaceChildren(element("p", { textContent: sentence }), shown, ...buttons);
    const first = shown.querySelector("mark");
    if (first) shown.scrollTop = first.offsetTop - shown.offsetTop - 30; // the difference is in sight
  }

  settle() {
    this.differs = this.isAsking = false;
    this.alert.replaceChildren();
  }

  /** Show a verdict, once; it is about one text, and pale beside another. */
  judged(found) {
    const is_of_this = found?.is_of_this;
    const { is_of_this: _, ...verdict } = found ?? {}, key = JSON.stringify(verdict);
    this.isOfFile = Boolean(is_of_this);
    if (found && key !== this.shown) {
      this.shown = key;
      const card = element("div", {});
      card.attachShadow({ mode: "open" }).innerHTML = found.card; // all in it is escaped; the page's styles stay outside
      this.verdict.replaceChildren(card, ...found.glad.map((sentence) => element("p", { className: "glad", innerHTML: sentence })));
      if (found.is_right && !this.isBug) this.verdict.append(...this.ways());
      this.told.replaceChildren();
      this.say(found.said, true);
      this.editor.mark(is_of_this ? found.line : null);
    }
    this.freshen();
  }

  /** The ways on from an answer that passed: the text below, and at the end of a chapter what was built. */
  ways() {
    const next = [...document.querySelectorAll("article > *")].find((each) => !each.hidden
      && this.node.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
    const go = () => next.scrollIntoView({ behavior: "smooth", block: "start" });
    const on = element("p", {}, element("button", { type: "button", className: "begin", textContent: "Read on", onclick: go }));
    if (!document.querySelector(".ending")) return [on];
    on.append(" ", built());
    return [element("p", { className: "glad", textContent: "Every exercise of this chapter is done." }), on];
  }

  freshen() { this.verdict.classList.toggle("old", !this.isOfFile || this.isTyped); }
}

const built = () => element("a", { href: `${root}finish.html`, textContent: "What you have built so far" });

/** The end of a chapter, below its text, once all of it is done: what is made, its picture, and the next chapter. */
function end({ title, made, next }) {
  if (document.querySelector(".ending")) return;
  const drawn = document.querySelector("article .machine")?.cloneNode(true) ?? "";
  const on = next ? element("a", { className: "begin", href: root + next.page, textContent: `Next chapter: ${next.title}` }) : "";
  document.querySelector("article").append(element("section", { className: "ending", "aria-label": "The chapter is done" },
    element("h2", { textContent: `Chapter done: ${title}` }), element("p", { innerHTML: made }), drawn,
    element("p", {}, on, " ", built())));
}

const compared = (line) => {
  const kind = { "-": "del", "+": "ins" }[line[0]] ?? "span";
  return element(kind, { textContent: `${line}\n` });
};

/* The page: a sheet where each exercise has its link to the solution, and what is done in the navigation. */
const gone = element("p", { className: "gone", role: "status" });
const sheets = {};

function show(told) {
  drafts.owner = told.folder;
  gone.textContent = told.trouble ?? "";
  if (told.ends) end(told.ends);
  for (const [name, sheet] of Object.entries(told.sheets)) {
    if (!sheets[name]) {
      const link = document.querySelector(`.solution a[href$="/${name.replace(DEBUG, "")}.html"]`)?.parentElement;
      if (!link) continue;
      sheets[name] = new Sheet(name, link);
      link.hidden = true;
    }
    sheets[name].tell(sheet, told.version);
  }
  if (told.training) train(told.training);
  if (told.done) tick(told.done);
  if (told.done && document.querySelector(".hero")) goOn(told.done);
}

/* In the chapter `write`: the learner's own model trains below the text that says how. */
const MOST = 1_000_000; // bytes of a text on its way, which is more than two minutes can learn from
const training = { button: (text, act) => element("button", { type: "button", textContent: text, onclick: act }) };

async function askToTrain(text) {
  training.state.textContent = "";
  const { told, isGone } = await folder.ask({ do: "train", text });
  training.state.textContent = isGone ? GONE : (told ?? "");
}

function makeTraining() {
  const after = [...document.querySelectorAll("#learning ~ *")].find((each) => !each.matches("p"));
  if (!after) return;
  const file = element("input", { type: "file", accept: ".txt,.md,text/plain", hidden: true });
  file.onchange = async () => {
    const text = await file.files[0].text();
    let part = text.slice(0, MOST);
    while (new Blob([JSON.stringify(part)]).size > MOST) part = part.slice(0, 0.9 * part.length);
    file.value = "";
    if (part === text || confirm(`This text is long. Train on its first ${part.length} characters?`)) askToTrain(part);
  };
  Object.assign(training, {
    mine: training.button("Train mine", () => askToTrain("")),
    own: training.button("My own text …", () => file.click()),
    stop: training.button("Stop", () => folder.ask({ do: "stop training" })),
    bar: element("progress", { "aria-label": "Steps of the training" }),
    state: element("span", { role: "status" }),
    wrote: element("div", { "aria-live": "polite" }),
  });
  const help = "Your functions of this chapter learn from Alice, or from your own plain text: one to two minutes.";
  training.node = element("section", { className: "sheet training", "aria-label": "Train your model" },
    element("p", { className: "title" }, element("strong", { textContent: "Train your model" }), ` ${help}`),
    element("div", { className: "buttons" }, training.mine, training.own, training.stop, file),
    element("p", { className: "state" }, training.bar, " ", training.state), training.wrote);
  after.before(training.node);
}

function train({ is_running, steps, of, told, wrote }) {
  if (!training.node) makeTraining();
  if (!training.node) return;
  training.mine.disabled = training.own.disabled = is_running;
  training.stop.hidden = training.bar.hidden = !is_running;
  if (steps) [training.bar.max, training.bar.value] = [of, steps];
  else training.bar.removeAttribute("value");
  if (is_running) training.state.textContent = steps ? `${steps} of ${of} steps` : "Training begins …";
  else if (training.wasRunning) training.state.textContent = told || "Trained.";
  training.wasRunning = is_running;
  if (wrote !== training.shown) training.wrote.innerHTML = training.shown = wrote;
}

/** On the start page: how much is done, and where to go on. */
function goOn({ exercises, total, next }) {
  if (!exercises.length) return;
  const count = exercises.length, begin = document.querySelector(".hero a.begin");
  const bar = element("progress", { max: total, value: count, "aria-label": `${count} of ${total} exercises done` });
  const named = element("a", { href: "#", textContent: "with your name on it" });
  named.onclick = (event) => {
    event.preventDefault();
    const name = prompt("Your name, as the page shows it:");
    if (name) location.href = `${root}finish.html?name=${encodeURIComponent(name)}`;
  };
  const line = element("p", { className: "far" }, bar, ` ${count} of ${total} exercises done. `, built(), ", ", named, ".");
  document.querySelector(".far")?.remove();
  begin.parentElement.before(line);
  if (next) [begin.textContent, begin.href] = [`Continue with ${next.name}`, root + next.page];
  else [begin.textContent, begin.href] = ["What you have built", `${root}finish.html`];
}

function tick({ chapters, exercises }) {
  const set = (link, done, count = "") => {
    link.classList.toggle("done", done);
    link.title = done ? "done" : "";
    if (!count) return;
    const shown = link.querySelector(".count") ?? link.appendChild(element("span", { className: "count" }));
    shown.textContent = ` ${count}`;
  };
  for (const link of document.querySelectorAll(".md-nav--primary a.md-nav__link:not(.md-nav--secondary *)")) {
    const counts = chapters[new URL(link.href).pathname.split("/").pop().replace(".html", "")];
    if (counts) set(link, counts[0] === counts[1], counts.join("/"));
  }
  for (const link of document.querySelectorAll("article li > strong > a[href$='.html']")) {
    const counts = chapters[new URL(link.href).pathname.split("/").pop().replace(".html", "")];
    if (counts) set(link, counts[0] === counts[1], `${counts[0]} of ${counts[1]}`);
  }
  for (const link of document.querySelectorAll(".md-nav--secondary a.md-nav__link, article li > a[href*='.html#']"))
    set(link, exercises.includes(link.hash.slice(1)));
}

/* Predictions are answered in the page at once; the folder keeps the first try. */
async function keepTry(event) {
  const form = event.target.closest(".prediction");
  const isShown = event.type === "click" && event.target.matches("button[type=button]");
  if (!form || !(isShown || event.type === "submit")) return;
  const typed = isShown ? "" : new FormData(form).get("prediction") ?? "";
  if (!isShown && !typed.trim()) return;
  const request = { do: "predict", of: form.dataset.of, number: form.dataset.number, text: typed };
  const reply = await folder.ask(request);
  if (reply.told) setTimeout(() => folder.ask(request), 5000); // a check is going on
}
document.addEventListener("submit", keepTry, true);
document.addEventListener("click", keepTry, true);

/* What is a command of the terminal has its place on the page. */
const placeOf = { predict: () => "this page", debug: (name) => `the button “Find a bug” of ${name}`, finish: built };
for (const code of document.querySelectorAll("article p code")) {
  const [, verb, name] = code.textContent.match(/^attn (predict|debug|finish) ?(\S*)$/) ?? [];
  if (verb) code.replaceWith(placeOf[verb](name));
}

document.body.classList.add("live");
document.querySelector("article").prepend(gone);
const first = document.querySelector("article .exercise")?.previousElementSibling?.previousElementSibling;
if (first?.id) document.querySelector(".md-skip")?.after(element("a", { className: "md-skip", href: `#${first.id}`, textContent: "Skip to the first exercise" }));
addEventListener("pagehide", () => Object.values(sheets).forEach((sheet) => sheet.save("save")));
folder.connect();
