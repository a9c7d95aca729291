/** Text view of the scenario. */

import type { EditorView } from '@codemirror/view';
import { computed, effect, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LocatedProblem } from '../../engine/editing/check.ts';
import type { Hint } from '../../engine/editing/completion.ts';
import { text } from '../state.ts';
import { findProblemRange } from './diagnostics.ts';
import { cursor, openEditor, tabIndents } from './document.ts';
import { takeSelection } from './plain-editor.tsx';
import { formatAccepted, LONG_TEXT, loadHint } from './suggestions.ts';

let shownView: EditorView | undefined;

/** Problem to go to when the editor is shown. */
let pendingProblem: LocatedProblem | undefined;

/** Moves the cursor to a problem. */
export function goToProblem(problem: LocatedProblem): void {
  pendingProblem = problem;
  if (shownView === undefined) return;
  const { from } = findProblemRange(shownView.state.doc, problem);
  shownView.dispatch({ selection: { anchor: from }, scrollIntoView: true });
  shownView.focus();
  pendingProblem = undefined;
}

function restoreSelection(view: EditorView): void {
  const left = takeSelection();
  if (left === undefined) return;
  const isWithin = (at: number): number => Math.min(at, view.state.doc.length);
  view.dispatch({ selection: { anchor: isWithin(left.from), head: isWithin(left.to) }, scrollIntoView: true });
  view.focus();
}

function mountEditor(host: HTMLElement): () => void {
  const { view, close } = openEditor(host.shadowRoot ?? host.attachShadow({ mode: 'open' }));
  shownView = view;
  restoreSelection(view);
  if (pendingProblem !== undefined) goToProblem(pendingProblem);
  return () => {
    shownView = undefined;
    close();
  };
}

const hint = signal<Hint | undefined>(undefined);
const currentHint = computed(() => hint.value);

/** Milliseconds without a cursor movement until the hint is updated. */
const PAUSE = 200;

function watchCursor(): () => void {
  return effect(() => {
    const [at, content] = [cursor.value, text.value];
    const timer = setTimeout(() => {
      if (content.length > LONG_TEXT) hint.value = undefined;
      else void loadHint(content, at).then((found) => (hint.value = found));
    }, PAUSE);
    return () => {
      clearTimeout(timer);
    };
  });
}

/** Description of the field at the cursor, for users without a pointer. */
function FieldHint() {
  const found = currentHint.value;
  if (found === undefined) return <p class="here soft small">Ctrl+Space lists completions.</p>;
  return (
    <p class="here small">
      <code>{found.path}</code> <span class="soft">{formatAccepted(found)}</span> {found.about}
    </p>
  );
}

export function CodeEditor() {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = host;
    return current === null ? undefined : mountEditor(current);
  }, []);
  useLayoutEffect(watchCursor, []);
  return (
    <>
      <div class="code-host" ref={host} />
      <FieldHint />
      <label class="small soft tab-indents">
        <input
          type="checkbox"
          checked={tabIndents.value}
          onChange={({ currentTarget }) => {
            tabIndents.value = currentTarget.checked;
          }}
        />{' '}
        Tab indents; Escape, then Tab leaves the editor
      </label>
    </>
  );
}
