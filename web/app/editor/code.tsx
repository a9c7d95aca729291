/** The text of the scenario in the editor. */

import type { EditorView } from '@codemirror/view';
import { computed, effect, signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Marked } from '../../engine/check.ts';
import type { Hint } from '../../engine/complete.ts';
import { text } from '../state.ts';
import { cursor, open, tabIndents } from './document.ts';
import { rangeOf } from './marks.ts';
import { takeLeft } from './plain.tsx';
import { acceptsOf, hintFor, LONG } from './suggest.ts';

let shown: EditorView | undefined;

/** Where to go once the editor is shown. */
let wanted: Marked | undefined;

/** Leads the cursor to a problem. */
export function goTo(problem: Marked): void {
  wanted = problem;
  if (shown === undefined) return;
  const { from } = rangeOf(shown.state.doc, problem);
  shown.dispatch({ selection: { anchor: from }, scrollIntoView: true });
  shown.focus();
  wanted = undefined;
}

function resume(view: EditorView): void {
  const left = takeLeft();
  if (left === undefined) return;
  const within = (at: number): number => Math.min(at, view.state.doc.length);
  view.dispatch({ selection: { anchor: within(left.from), head: within(left.to) }, scrollIntoView: true });
  view.focus();
}

function mount(host: HTMLElement): () => void {
  const { view, close } = open(host.shadowRoot ?? host.attachShadow({ mode: 'open' }));
  shown = view;
  resume(view);
  if (wanted !== undefined) goTo(wanted);
  return () => {
    shown = undefined;
    close();
  };
}

const hint = signal<Hint | undefined>(undefined);
const told = computed(() => hint.value);

/** Milliseconds for which a cursor rests before it is said where it is. */
const PAUSE = 200;

function watchCursor(): () => void {
  return effect(() => {
    const [at, content] = [cursor.value, text.value];
    const timer = setTimeout(() => {
      if (content.length > LONG) hint.value = undefined;
      else void hintFor(content, at).then((found) => (hint.value = found));
    }, PAUSE);
    return () => {
      clearTimeout(timer);
    };
  });
}

/** What the field at the cursor is about: for keys and fingers what pointing shows. */
function Here() {
  const found = told.value;
  if (found === undefined) return <p class="here soft small">Ctrl+Space lists what can stand at the cursor.</p>;
  return (
    <p class="here small">
      <code>{found.path}</code> <span class="soft">{acceptsOf(found)}</span> {found.about}
    </p>
  );
}

export function Code() {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = host;
    return current === null ? undefined : mount(current);
  }, []);
  useLayoutEffect(watchCursor, []);
  return (
    <>
      <div class="code-host" ref={host} />
      <Here />
      <label class="small soft tab-indents">
        <input
          type="checkbox"
          checked={tabIndents.value}
          onChange={({ currentTarget }) => {
            tabIndents.value = currentTarget.checked;
          }}
        />{' '}
        Tab indents; Escape, then Tab leaves
      </label>
    </>
  );
}
