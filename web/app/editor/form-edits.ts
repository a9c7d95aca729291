/** Form of the shown text, and edits made in it. */
import { effect, signal } from '@preact/signals';
import { perform } from '../../engine/client.ts';
import type { TextEdit } from '../../engine/editing/edit.ts';
import type { ScenarioForm } from '../../engine/editing/form.ts';
import { inquire } from '../inquire.ts';
import { checkedText, checkResult, openText, text } from '../state.ts';

export const form = signal<ScenarioForm | undefined>(undefined);
/** Error of the last edit. */
export const changeError = signal<unknown>(undefined);

/** Milliseconds without a key until the form is updated. */
const PAUSE = 30;

/** Starts to update the form with the text. */
export function watchForm(): () => void {
  return effect(() => {
    const content = text.value;
    return inquire(
      (engine) => engine.form(content),
      (found) => {
        form.value = found;
      },
      { pause: form.peek() === undefined ? 0 : PAUSE },
    );
  });
}

/** Queue of edits: each applies to the text of the previous one. */
let lastChange: Promise<void> = Promise.resolve();

async function applyFieldEdit(edit: TextEdit): Promise<void> {
  const before = text.peek();
  const after = await perform((engine) => engine.edit(before, edit));
  // The text has changed in the meantime: apply the edit to the new text.
  if (text.peek() !== before) await applyFieldEdit(edit);
  else text.value = after;
}

async function startScenario(system: string): Promise<void> {
  openText(await perform((engine) => engine.start(system)), `${system}.yaml`);
}

function enqueue(work: () => Promise<void>): void {
  changeError.value = undefined;
  lastChange = lastChange.then(work).catch((error: unknown) => {
    changeError.value = error;
  });
}

/** Queues an edit of a field; another system opens another scenario. */
export function queueEdit(edit: TextEdit): void {
  const { kind, path } = edit;
  const system = kind === 'set' && path.length === 1 && path[0] === 'system' ? edit.value : undefined;
  enqueue(() => (typeof system === 'string' ? startScenario(system) : applyFieldEdit(edit)));
}

/** Returns the problem of a field. @param place field path as in messages */
export function getFieldProblem(place: string): string | undefined {
  const found = checkResult.value;
  if (found?.ok !== false || checkedText.value !== text.value) return undefined;
  const fault = found.problems.find(({ field }) => field === place);
  return fault && `expected ${fault.expected}, found ${fault.found}`;
}
