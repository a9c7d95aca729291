/** Completion and hints of the editor, from the engine. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip } from '@codemirror/view';
import { perform } from '../../engine/client.ts';
import type { Hint, Suggestion } from '../../engine/editing/completion.ts';

/** UTF-16 units of a text above which hints appear only on hover. */
export const LONG_TEXT = 200_000;

const WORD = /[\p{L}\p{N}_-]+$/u;

/** Returns whether completion should continue after a suggestion is inserted. */
function hasNextSuggestion({ insert, cursor }: Suggestion): boolean {
  return /[\s[]$/.test(insert.slice(0, cursor));
}

function createCompletion(suggestion: Suggestion, rank: number): Completion {
  const { label, detail, about, kind, missing, insert, cursor } = suggestion;
  return {
    label,
    detail,
    ...(about !== '' && { info: about }),
    type: kind === 'field' ? 'property' : 'enum',
    boost: missing ? 1 : 0,
    sortText: String(rank).padStart(4, '0'),
    apply: (view: EditorView, completion: Completion, from: number, to: number) => {
      view.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + cursor },
        scrollIntoView: true,
        userEvent: 'input.complete',
        annotations: pickedCompletion.of(completion),
      });
      if (hasNextSuggestion(suggestion)) startCompletion(view);
    },
  };
}

async function completeText(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const head = line.text.slice(0, pos - line.from);
  if (!explicit && !WORD.test(head) && !/: $/.test(head)) return null;
  const found = await perform((engine) => engine.complete(state.doc.toString(), pos)).catch(() => undefined);
  if (found === undefined) return null;
  return { from: found.from, to: found.to, options: found.all.map(createCompletion), validFor: /^[\p{L}\p{N}_-]*$/u };
}

/** Loads the description of the field at an offset; undefined if there is none, or the engine is dead. */
export async function loadHint(text: string, at: number): Promise<Hint | undefined> {
  return await perform((engine) => engine.hint(text, at)).catch(() => undefined);
}

/** Formats accepted values: `an integer 1..100; default 3`. */
export function formatAccepted({ accepts, default: given }: Hint): string {
  return given === undefined || given === '' ? accepts : `${accepts}; default ${given}`;
}

function renderHint(hint: Hint): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-hint';
  const head = document.createElement('p');
  const path = document.createElement('code');
  path.textContent = hint.path;
  head.append(path, ` ${formatAccepted(hint)}`);
  const about = document.createElement('p');
  about.textContent = hint.about;
  box.append(head, about);
  return box;
}

const hoverHint = hoverTooltip(async ({ state }, pos) => {
  const hint = await loadHint(state.doc.toString(), pos);
  if (hint === undefined || state.doc.length < hint.to) return null;
  return { pos: hint.from, end: hint.to, above: true, create: () => ({ dom: renderHint(hint) }) };
});

export const suggestions: Extension = [autocompletion({ override: [completeText], icons: false }), hoverHint];
