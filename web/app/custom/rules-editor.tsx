/** Editor of custom rules, with errors at their lines. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import '../editor/editor.css';
import { findProblemRange } from '../editor/diagnostics.ts';
import { findDifference } from '../editor/difference.ts';
import { editorTheme } from '../editor/editor-theme.ts';
import { javascript } from './javascript.ts';
import { chosenModule } from './module.ts';
import { rulesFaults, writeRules } from './written-rules.ts';

/** Converts messages that name a line, `my-rules.js:12:8: ...`, to diagnostics. */
function createDiagnostics(doc: Text, file: string, messages: readonly string[]): Diagnostic[] {
  return messages.flatMap((message): Diagnostic[] => {
    const at = message.indexOf(`${file}:`);
    const [, line, column] = /^:(\d+):(\d+)/.exec(message.slice(at + file.length)) ?? [];
    if (at < 0 || line === undefined) return [];
    return [{ ...findProblemRange(doc, { line: Number(line), column: Number(column) }), severity: 'error', message }];
  });
}

function createExtensions(): Extension {
  return [
    lineNumbers(),
    history(),
    bracketMatching(),
    closeBrackets(),
    javascript,
    editorTheme,
    lintGutter(),
    keymap.of([...closeBracketsKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'Rules, in JavaScript', tabindex: '0' }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      const text = state.doc.toString();
      if (docChanged && text !== chosenModule.peek()?.text) writeRules(text);
    }),
  ];
}

function mountEditor(host: HTMLElement): () => void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const begin = chosenModule.peek()?.text ?? '';
  const view = new EditorView({
    state: EditorState.create({ doc: begin, extensions: createExtensions() }),
    parent: root,
    root,
  });
  const ends = [
    effect(() => {
      const text = (chosenModule.value?.text ?? '').replaceAll(/\r\n?/g, '\n');
      const now = view.state.doc.toString();
      if (text !== now) view.dispatch({ changes: findDifference(now, text) });
    }),
    effect(() => {
      const marks = createDiagnostics(view.state.doc, chosenModule.value?.file ?? '', rulesFaults.value);
      view.dispatch(setDiagnostics(view.state, marks));
    }),
  ];
  return () => {
    for (const end of ends) end();
    view.destroy();
  };
}

export function RulesEditor() {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = host;
    return current === null ? undefined : mountEditor(current);
  }, []);
  return (
    <div class="editor rules">
      <div ref={host} />
    </div>
  );
}
