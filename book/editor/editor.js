/* An editor for one piece of Python: `make editor` bundles it, with CodeMirror, into book/pages/editor.js. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, codeFolding, foldEffect, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const mark = StateEffect.define(); // the line to look at, or null

const marked = StateField.define({
  create: () => Decoration.none,
  update(lines, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(mark)) {
        const number = Math.min(effect.value ?? 0, transaction.newDoc.lines);
        return number ? Decoration.set([Decoration.line({ class: "marked" }).range(transaction.newDoc.line(number).from)]) : Decoration.none;
      }
    return lines.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Docstrings of several lines, which the page shows above: from the end of the first line to the closing quotes. */
function docstrings(text) {
  const found = [];
  for (const match of text.matchAll(/^[ \t]*("""|''')(?:(?!\1)[^\n])*\n[\s\S]*?\1/gm))
    found.push({ from: text.indexOf("\n", match.index), to: match.index + match[0].length - 3 });
  return found;
}

/**
 * Make one in an element.
 * @param {{label: string, firstLine: () => number, changed: () => void, check: () => void}} options
 */
export function makeEditor(parent, { label, firstLine, changed, check }) {
  const past = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        lineNumbers({ formatNumber: (number) => String(number + firstLine() - 1) }),
        past.of(history()), drawSelection(), EditorView.lineWrapping, indentOnInput(), bracketMatching(), codeFolding(), marked,
        indentUnit.of("    "), EditorState.tabSize.of(4),
        python(), syntaxHighlighting(classHighlighter),
        keymap.of([{ key: "Mod-Enter", run: () => (check(), true) }, ...defaultKeymap, ...historyKeymap, ...foldKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => update.docChanged && changed()),
      ],
    }),
  });
  return {
    view,
    get text() { return view.state.doc.toString(); },
    /** Put another text there, as one step that can be undone; what both have in common stays, and the cursor with it. */
    replace(text, options = {}) {
      const old = view.state.doc.toString();
      let from = 0, end = old.length, last = text.length;
      while (from < end && from < last && old[from] === text[from]) from++;
      while (end > from && last > from && old[end - 1] === text[last - 1]) end--, last--;
      view.dispatch({ changes: { from, to: end, insert: text.slice(from, last) }, userEvent: "input.file", ...options });
    },
    /** Put the text there with which history begins: nothing before it can be undone. */
    load(text) {
      this.replace(text, { annotations: Transaction.addToHistory.of(false) });
      view.dispatch({ effects: past.reconfigure([]) });
      view.dispatch({ effects: past.reconfigure(history()) });
    },
    fold() {
      view.dispatch({ effects: docstrings(view.state.doc.toString()).map((range) => foldEffect.of(range)) });
    },
    mark(line) { view.dispatch({ effects: mark.of(line) }); },
    focus() { view.focus(); },
  };
}
