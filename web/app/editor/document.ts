/** The editor document with its history; it exists while the form is shown, too. */
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
import { checkedText, checkResult, file, text } from '../state.ts';
import { createDiagnostics } from './diagnostics.ts';
import { findDifference } from './difference.ts';
import { editorTheme } from './editor-theme.ts';
import { createFileState, getFile, renameEffect } from './file-state.ts';
import { replacementInput } from './replacement-input.ts';
import { suggestions } from './suggestions.ts';
import { type HistoryDirection, handOverHistory, steps } from './text-history.ts';

/** True if Tab indents; otherwise it moves the focus, as elsewhere. */
export const tabIndents = signal(false);
/** Cursor position. */
export const cursor = signal(0);

const tabCompartment = new Compartment();

const createTabKeys = (indents: boolean): Extension => (indents ? keymap.of([indentWithTab]) : []);

const extensions: Extension = [
  lineNumbers(),
  history(),
  codeFolding(),
  bracketMatching(),
  closeBrackets(),
  yaml(),
  editorTheme,
  suggestions,
  replacementInput,
  lintGutter(),
  search({ top: true }),
  tabCompartment.of([]),
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
  EditorView.contentAttributes.of({ 'aria-label': 'Scenario, in YAML or JSON', tabindex: '0' }),
  EditorView.updateListener.of(({ docChanged, selectionSet, startState, state }) => {
    if (docChanged || getFile(startState) !== getFile(state)) applyState(state);
    if (docChanged || selectionSet) cursor.value = state.selection.main.head;
  }),
];

/** Text of the editor that the page has; other texts come from elsewhere. */
let knownText = '';
/** File name of that text. */
let knownFile = '';
let state: EditorState | undefined;
let view: EditorView | undefined;

function applyState(now: EditorState): void {
  knownText = now.doc.toString();
  knownFile = getFile(now);
  batch(() => {
    file.value = knownFile;
    text.value = knownText;
    steps.value = { undo: undoDepth(now) > 0, redo: redoDepth(now) > 0 };
  });
}

function createState(content: string, name: string): EditorState {
  return EditorState.create({ doc: content, extensions: [extensions, createFileState(name)] });
}

function dispatch(transaction: Transaction): void {
  if (view === undefined) {
    state = transaction.state;
    applyState(state);
  } else view.dispatch(transaction);
}

/** Loads a text from elsewhere: another file, or a change of this one. Both can be undone. */
function followContent(content: string, name: string): void {
  // Line ends are normalized to \n, as in text fields.
  const lines = content.replaceAll(/\r\n?/g, '\n');
  if (lines !== content) text.value = lines;
  const now = view?.state ?? state;
  if (now === undefined) {
    state = createState(lines, name);
    [knownText, knownFile] = [lines, name];
  } else if (lines !== knownText || name !== knownFile) {
    const opens = name !== knownFile;
    const changes = findDifference(knownText, lines);
    [knownText, knownFile] = [lines, name];
    const other = { effects: renameEffect.of(name), selection: { anchor: 0 }, annotations: isolateHistory.of('full') };
    dispatch(now.update({ changes, userEvent: opens ? 'input.open' : 'input.form', ...(opens && other) }));
  }
}

function showDiagnostics(): void {
  const now = view?.state;
  const found = checkResult.value;
  if (now === undefined || found === undefined || checkedText.value !== knownText) return;
  view?.dispatch(setDiagnostics(now, createDiagnostics(now.doc, found)));
}

/** Replays the changes made before the editor was loaded, so that they can be undone. */
function restoreHistory(): void {
  const { all, at } = handOverHistory(stepHistory);
  const [text, file] = [all[at]?.text, all[at]?.file];
  if (text === undefined || file === undefined) return;
  for (const was of all) {
    followContent(was.text, was.file);
    state &&= state.update({ annotations: isolateHistory.of('full') }).state;
  }
  for (let k = all.length - 1; k > at; k--) stepHistory('undo');
}

/** Starts to follow the text of the page. */
export function followText(): void {
  batch(restoreHistory);
  effect(() => {
    const name = file.value;
    followContent(text.value, name);
  });
}

export interface OpenedEditor {
  readonly view: EditorView;
  readonly close: () => void;
}

/** Mounts the editor in a shadow root, where style sheets can be created without a style element. */
export function openEditor(root: ShadowRoot): OpenedEditor {
  followContent(text.peek(), file.peek());
  const opened = new EditorView({ state: state ?? createState(text.peek(), file.peek()), parent: root, root });
  view = opened;
  const ends = [
    effect(showDiagnostics),
    effect(() => {
      opened.dispatch({ effects: tabCompartment.reconfigure(createTabKeys(tabIndents.value)) });
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

/** Undoes or redoes a change, whether or not the editor is shown. */
function stepHistory(way: HistoryDirection): void {
  const now = view?.state ?? state;
  if (now !== undefined) (way === 'undo' ? undo : redo)({ state: now, dispatch });
}
