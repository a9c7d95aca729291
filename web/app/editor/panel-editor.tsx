/** Text editor of a panel for a text other than the scenario, with errors at their lines. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { effect, type ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FileText } from '../state.ts';
import { findProblemRange } from './diagnostics.ts';
import { findDifference } from './difference.ts';
import './editor.css';
import { editorTheme } from './editor-theme.ts';

export interface PanelEditorOptions {
  /** Accessible name. */
  readonly label: string;
  readonly language: Extension;
  readonly content: ReadonlySignal<FileText | undefined>;
  /** Error messages; those that name a line of the file, `my-rules.js:12:8: ...`, are shown there. */
  readonly problems: ReadonlySignal<readonly string[]>;
  readonly onText: (text: string) => void;
}

/** Converts messages that name a line to diagnostics. */
function createDiagnostics(doc: Text, file: string, messages: readonly string[]): Diagnostic[] {
  return messages.flatMap((message): Diagnostic[] => {
    const at = message.indexOf(`${file}:`);
    const [, line, column] = /^:(\d+):(\d+)/.exec(message.slice(at + file.length)) ?? [];
    if (at < 0 || line === undefined) return [];
    return [{ ...findProblemRange(doc, { line: Number(line), column: Number(column) }), severity: 'error', message }];
  });
}

function createExtensions({ label, language, content, onText }: PanelEditorOptions): Extension {
  return [
    lineNumbers(),
    history(),
    bracketMatching(),
    closeBrackets(),
    language,
    editorTheme,
    lintGutter(),
    keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const text = state.doc.toString();
      if (docChanged && text !== content.peek()?.text) onText(text);
    }),
  ];
}

function mountEditor(host: HTMLElement, options: PanelEditorOptions): () => void {
  const { content, problems } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const begin = content.peek()?.text ?? '';
  const view = new EditorView({
    state: EditorState.create({ doc: begin, extensions: createExtensions(options) }),
    parent: root,
    root,
  });
  const ends = [
    effect(() => {
      const text = (content.value?.text ?? '').replaceAll(/\r\n?/g, '\n');
      const now = view.state.doc.toString();
      if (text !== now) view.dispatch({ changes: findDifference(now, text) });
    }),
    effect(() => {
      const marks = createDiagnostics(view.state.doc, content.value?.file ?? '', problems.value);
      view.dispatch(setDiagnostics(view.state, marks));
    }),
  ];
  return () => {
    for (const end of ends) end();
    view.destroy();
  };
}

/** Creates the component of an editor. */
export function createPanelEditor(options: PanelEditorOptions): ComponentType {
  return function PanelEditor() {
    const host = useRef<HTMLDivElement>(null);
    useLayoutEffect(() => {
      const { current } = host;
      return current === null ? undefined : mountEditor(current, options);
    }, []);
    return (
      <div class="editor rules">
        <div ref={host} />
      </div>
    );
  };
}
