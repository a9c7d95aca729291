/** The form of the text that is shown, and changes that are made in it. */
import { effect, signal } from '@preact/signals';
import { perform } from '../../engine/client.ts';
import type { TextEdit } from '../../engine/editing/edit.ts';
import type { ScenarioForm } from '../../engine/editing/form.ts';
import { inquire } from '../inquire.ts';
import { checkedText, checkResult, openText, text } from '../state.ts';

export const form = signal<ScenarioForm | undefined>(undefined);
/** Why the last change was not made. */
export const changeError = signal<unknown>(undefined);

/** Milliseconds without a key after which a text is read again. */
const PAUSE = 30;

/** Begins to keep the form the same as the text. */
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

/** One change after the other, each of the text that the one before has made. */
let lastChange: Promise<void> = Promise.resolve();

async function applyFieldEdit(edit: TextEdit): Promise<void> {
  const before = text.peek();
  const after = await perform((engine) => engine.edit(before, edit));
  // Something else has changed the text in the meantime: it is changed as it is now.
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

/** Changes a field of the text; another system begins with another scenario. */
export function queueEdit(edit: TextEdit): void {
  const { kind, path } = edit;
  const system = kind === 'set' && path.length === 1 && path[0] === 'system' ? edit.value : undefined;
  enqueue(() => (typeof system === 'string' ? startScenario(system) : applyFieldEdit(edit)));
}

/** What is wrong with a field, by what messages call it. */
export function getFieldProblem(place: string): string | undefined {
  const found = checkResult.value;
  if (found?.ok !== false || checkedText.value !== text.value) return undefined;
  const fault = found.problems.find(({ field }) => field === place);
  return fault && `expected ${fault.expected}, found ${fault.found}`;
}
