/** The module that the user has chosen: read from disk, run in the engine, judged. */
import { signal } from '@preact/signals';
import { InputError } from '../../../src/errors.ts';
import { safeName } from '../../../src/link/question.ts';
import { beginWith, perform, Stopped } from '../../engine/client.ts';
import type { OwnModule, Verdict } from '../../engine/own.ts';
import { textOf } from '../files.ts';

/** Read, and not run. */
export const chosen = signal<{ readonly file: string; readonly text: string } | undefined>(undefined);
/** Run in the engine. */
export const opened = signal<OwnModule | undefined>(undefined);
export const fault = signal<unknown>(undefined);
export const opening = signal(false);

/** What is looked at, while it is. */
export const judging = signal<string | undefined>(undefined);
export const verdicts = signal<Readonly<Record<string, Verdict>>>({});

const MODULE = /\.m?js$/i;

/** Reads a file. Nothing of it is run. */
export async function choose(file: File): Promise<void> {
  const name = safeName(file.name);
  fault.value = undefined;
  chosen.value = undefined;
  try {
    if (!MODULE.test(name)) throw new InputError(name, 'a module in JavaScript: a file .js or .mjs', 'another file');
    chosen.value = { file: name, text: await textOf(file, name) };
  } catch (error) {
    fault.value = error;
  }
}

/** Starts an engine that knows the shipped systems alone; the scenario is looked at again there. */
function forget(): void {
  beginWith(undefined);
  perform((engine) => engine.ping()).catch(() => undefined);
}

/** Runs it, in an engine of its own. */
export async function open(): Promise<void> {
  const module = chosen.value;
  if (module === undefined) return;
  close();
  opening.value = true;
  beginWith((engine) => engine.openModule(module));
  try {
    opened.value = await perform((engine) => engine.openedModule());
    chosen.value = undefined;
  } catch (error) {
    forget();
    fault.value = error;
  }
  opening.value = false;
  for (const { id } of opened.value?.systems ?? []) await judge(id, true);
}

/** Ends the engine that has run it. */
export function close(): void {
  judgement.abort();
  if (opened.value !== undefined) forget();
  opened.value = undefined;
  fault.value = undefined;
  verdicts.value = {};
}

let judgement = new AbortController();

export function stopJudging(): void {
  judgement.abort();
}

/** Has a system checked. @param quick looks at less of everything */
export async function judge(id: string, quick: boolean): Promise<void> {
  judgement.abort();
  judgement = new AbortController();
  const { signal } = judgement;
  const tell = (scenario: string): void => {
    judging.value = `${id}: ${scenario}`;
  };
  judging.value = id;
  try {
    const verdict = await perform((engine, _, told) => engine.conform(id, quick, told), signal, tell);
    verdicts.value = { ...verdicts.value, [id]: verdict };
  } catch (error) {
    if (!(error instanceof Stopped)) fault.value = error;
  }
  judging.value = undefined;
}
