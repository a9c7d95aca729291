/** The module that the user has chosen: read from disk, run in the engine, judged. */
import { signal } from '@preact/signals';
import { InputError } from '../../../src/core/index.ts';
import { safeName } from '../../../src/tell/index.ts';
import { performApart } from '../../engine/apart.ts';
import { beginWith, perform, Stopped } from '../../engine/client.ts';
import { type Beginning, EngineDied } from '../../engine/live.ts';
import type { Verdict } from '../../engine/own/verdict.ts';
import type { Module, OwnModule, OwnSystem } from '../../engine/own.ts';
import { textOf } from '../files.ts';
import { openText, panel, text as scenarioText, verdicts } from '../state.ts';

/** What the file of a module is called. */
export const MODULE = /\.m?js$/i;

/** A text that may be run. */
export interface Chosen extends Module {
  /** Where it comes from. What was written here is known to whoever runs it, and what the server gives comes with the page. */
  readonly from: 'disk' | 'here' | 'server' | 'link';
}

/** What was read or written; it may have been run. */
export const chosen = signal<Chosen | undefined>(undefined);
/** What is run in the engine. */
export const running = signal<Chosen | undefined>(undefined);

/** Run in the engine. */
export const opened = signal<OwnModule | undefined>(undefined);
export const fault = signal<unknown>(undefined);
export const opening = signal(false);

/** What is looked at, while it is. */
export const judging = signal<string | undefined>(undefined);

/** What the file of an example is called. */
export const scenarioFile = (name: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+/, '') || 'scenario'}.yaml`;

/** Reads a file. Nothing of it is run. */
export async function choose(file: File): Promise<void> {
  const name = safeName(file.name);
  fault.value = undefined;
  chosen.value = undefined;
  try {
    if (!MODULE.test(name)) throw new InputError(name, 'a module in JavaScript: a file .js or .mjs', 'another file');
    chosen.value = { file: name, text: await textOf(file, name), from: 'disk' };
  } catch (error) {
    fault.value = error;
  }
}

/** Starts an engine that knows the shipped systems alone; the scenario is looked at again there. */
function forget(): void {
  beginning = undefined;
  beginWith(undefined);
  perform((engine) => engine.ping()).catch(() => undefined);
}

/** What engines are begun with while a module is open. */
let beginning: Beginning | undefined;

/** Milliseconds in which a module must have been loaded. */
const LOADING = 10_000;

let loading = new AbortController();

/** Ends a module that is being loaded. */
export function stopOpening(reason?: Error): void {
  loading.abort(reason);
}

async function load(module: Module): Promise<OwnModule | undefined> {
  loading = new AbortController();
  const { signal } = loading;
  const late = new Error(
    `${module.file} was not loaded within 10 s: it may loop for ever, or wait for what never comes`,
  );
  const timer = setTimeout(stopOpening, LOADING, late);
  beginning = { file: module.file, load: (engine) => engine.openModule(module) };
  beginWith(beginning);
  try {
    return await perform((engine) => engine.openedModule(), signal);
  } catch (error) {
    forget();
    const said = error instanceof Stopped ? (signal.reason as unknown) : error;
    if (said === late || !(error instanceof Stopped)) fault.value = said;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows the first example of rules that were written here, unless the scenario is already one of theirs. */
function exampleOfWritten([system]: readonly OwnSystem[]): void {
  const [example] = system?.examples ?? [];
  const mine =
    system !== undefined && new RegExp(`^["']?system["']?: *["']?${system.id}\\b`, 'm').test(scenarioText.peek());
  if (chosen.peek()?.from === 'here' && example !== undefined && !mine)
    openText(example.text, scenarioFile(example.name));
}

/** Runs it, in an engine of its own. @param shown is told of its systems before they are checked */
export async function open(shown: (systems: readonly OwnSystem[]) => void = exampleOfWritten): Promise<void> {
  const module = chosen.value;
  if (module === undefined) return;
  close();
  opening.value = true;
  const found = await load({ file: module.file, text: module.text });
  opened.value = found;
  opening.value = false;
  if (found === undefined) return;
  running.value = module;
  shown(found.systems);
  for (const { id } of found.systems) if (opened.value === found) await judge(id, true);
}

/**
 * Opens the module that the server of this page was given by name: whoever gave it has already run it.
 * @param plain nothing else was asked: then its first example is shown
 */
export async function openServed(address: string, plain: boolean): Promise<void> {
  const file = safeName(decodeURIComponent(address.replace(/^.*\//, '')));
  try {
    const answer = await fetch(address);
    if (!answer.ok)
      throw new InputError(file, 'the module that the page is served with', `HTTP ${String(answer.status)}`);
    chosen.value = { file, text: await answer.text(), from: 'server' };
  } catch (error) {
    fault.value = error;
  }
  // The engine begins with it; what is asked meanwhile waits.
  const shown = ([first]: readonly OwnSystem[]): void => {
    const [example] = first?.examples ?? [];
    if (plain && example !== undefined) openText(example.text, scenarioFile(example.name));
  };
  void open(shown).then(() => {
    if (fault.value !== undefined) panel.value = 'own';
  });
}

/** Ends the engine that has run it. */
export function close(): void {
  judgement.abort();
  if (opened.value !== undefined) forget();
  opened.value = undefined;
  running.value = undefined;
  fault.value = undefined;
  verdicts.value = {};
}

let judgement = new AbortController();

export function stopJudging(): void {
  judgement.abort();
}

/** Seconds for which a system may keep the engine that checks it from hearing. */
const SILENCE = { quick: 20, thorough: 600 };

/** Has a system checked in an engine beside that of the page, which goes on to answer. @param quick looks at less of everything */
export async function judge(id: string, quick: boolean): Promise<void> {
  judgement.abort();
  const module = beginning;
  if (module === undefined) return;
  judgement = new AbortController();
  const { signal } = judgement;
  const hear = (scenario: string): void => {
    judging.value = `${id}: ${scenario}`;
  };
  const tell = (verdict: Verdict): void => {
    verdicts.value = { ...verdicts.value, [id]: verdict };
  };
  judging.value = id;
  try {
    const silence = quick ? SILENCE.quick : SILENCE.thorough;
    tell(await performApart(module, (engine, _, told) => engine.conform(id, quick, told), silence, signal, hear));
  } catch (error) {
    if (error instanceof EngineDied) tell({ good: false, lines: [`${id} could not be checked: ${error.message}`] });
    else if (!(error instanceof Stopped)) fault.value = error;
  }
  if (judgement.signal === signal) judging.value = undefined;
}
