/** The text as the editor holds it, with its history; there while the form is shown as well. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, codeFolding, foldKeymap } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Transaction } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { batch, effect, signal } from '@preact/signals';
import { checked, checkedText, file, text } from '../state.ts';
import { difference } from './difference.ts';
import { look } from './look.ts';
import { diagnosticsOf } from './marks.ts';
import { fileOf, opening, renamed } from './opening.ts';
import { steps, takePast, type Way } from './past.ts';
import { replacing } from './replacing.ts';
import { suggest } from './suggest.ts';

/** Tab indents; otherwise it leads out of the editor, as everywhere else. */
export const tabIndents = signal(false);
/** Where the cursor is. */
export const cursor = signal(0);

const tab = new Compartment();

const tabKeys = (indents: boolean): Extension => (indents ? keymap.of([indentWithTab]) : []);

const extensions: Extension = [
  lineNumbers(),
  history(),
  codeFolding(),
  bracketMatching(),
  closeBrackets(),
  yaml(),
  look,
  suggest,
  replacing,
  lintGutter(),
  search({ top: true }),
  tab.of([]),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...lintKeymap,
    ...foldKeymap,
    ...historyKeymap,
    ...defaultKeymap,
  ]),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': 'Scenario, in YAML or JSON' }),
  EditorView.updateListener.of(({ docChanged, selectionSet, startState, state }) => {
    if (docChanged || fileOf(startState) !== fileOf(state)) taken(state);
    if (docChanged || selectionSet) cursor.value = state.selection.main.head;
  }),
];

/** What the editor has and the page knows of: other texts come from elsewhere. */
let known = '';
/** Of which file it is. */
let knownFile = '';
let state: EditorState | undefined;
let view: EditorView | undefined;

function taken(now: EditorState): void {
  known = now.doc.toString();
  knownFile = fileOf(now);
  batch(() => {
    file.value = knownFile;
    text.value = known;
    steps.value = { undo: undoDepth(now) > 0, redo: redoDepth(now) > 0 };
  });
}

function fresh(content: string, name: string): EditorState {
  return EditorState.create({ doc: content, extensions: [extensions, opening(name)] });
}

function dispatch(transaction: Transaction): void {
  if (view === undefined) {
    state = transaction.state;
    taken(state);
  } else view.dispatch(transaction);
}

/** Takes a text from elsewhere: that of another file, or a change of this one. Both can be taken back. */
function follow(content: string, name: string): void {
  // Lines end with \n here, as in every text field of a page.
  const lines = content.replaceAll(/\r\n?/g, '\n');
  if (lines !== content) text.value = lines;
  const now = view?.state ?? state;
  if (now === undefined) {
    state = fresh(lines, name);
    [known, knownFile] = [lines, name];
  } else if (lines !== known || name !== knownFile) {
    const opens = name !== knownFile;
    const changes = difference(known, lines);
    [known, knownFile] = [lines, name];
    const other = { effects: renamed.of(name), selection: { anchor: 0 }, annotations: isolateHistory.of('full') };
    dispatch(now.update({ changes, userEvent: opens ? 'input.open' : 'input.form', ...(opens && other) }));
  }
}

function mark(): void {
  const now = view?.state;
  const found = checked.value;
  if (now === undefined || found === undefined || checkedText.value !== known) return;
  view?.dispatch(setDiagnostics(now, diagnosticsOf(now.doc, found)));
}

/** Makes again what was changed before the editor was loaded, so that it can be taken back. */
function remember(): void {
  const { all, at } = takePast(step);
  const [text, file] = [all[at]?.text, all[at]?.file];
  if (text === undefined || file === undefined) return;
  for (const was of all) {
    follow(was.text, was.file);
    state &&= state.update({ annotations: isolateHistory.of('full') }).state;
  }
  for (let k = all.length - 1; k > at; k--) step('undo');
}

/** Begins to follow the text of the page. */
export function followText(): () => void {
  if (state === undefined) batch(remember);
  return effect(() => {
    const name = file.value;
    follow(text.value, name);
  });
}

export interface Opened {
  readonly view: EditorView;
  readonly close: () => void;
}

/** Shows the editor within a shadow root, where style sheets can be made without a style element. */
export function open(root: ShadowRoot): Opened {
  follow(text.peek(), file.peek());
  const opened = new EditorView({ state: state ?? fresh(text.peek(), file.peek()), parent: root, root });
  view = opened;
  const ends = [
    effect(mark),
    effect(() => {
      opened.dispatch({ effects: tab.reconfigure(tabKeys(tabIndents.value)) });
    }),
  ];
  const close = (): void => {
    for (const end of ends) end();
    state = opened.state;
    view = undefined;
    opened.destroy();
  };
  return { view: opened, close };
}

/** Takes the last change back, or makes it again, whether or not the editor is shown. */
function step(way: Way): void {
  const now = view?.state ?? state;
  if (now !== undefined) (way === 'undo' ? undo : redo)({ state: now, dispatch });
}
