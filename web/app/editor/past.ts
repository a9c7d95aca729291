/** Changes of the text until the editor is loaded, which has a history of its own: it takes these along. */
import { effect, signal } from '@preact/signals';
import { file, starting, text } from '../state.ts';

/** A text, and the file that it is of. */
export interface Was {
  readonly text: string;
  readonly file: string;
}

/** Whether there is a change to take back, and one to make again. */
export const steps = signal({ undo: false, redo: false });

export type Way = 'undo' | 'redo';

/** Milliseconds between changes that are taken back together: a number that is stepped up, a word that is typed. */
const GROUP = 500;

/** Texts that are kept: each may be as long as a scenario can be. */
const MOST = 100;

let all: Was[] = [];
/** The one that is shown. */
let at = -1;
let changed = 0;

/** What is done with the history once the editor has it. */
let taker: ((way: Way) => void) | undefined;

function tell(): void {
  steps.value = { undo: at > 0, redo: at < all.length - 1 };
}

function note(now: Was, time: number): void {
  const shown = all[at];
  if (shown?.text === now.text && shown.file === now.file) return;
  const joins = at > 0 && at === all.length - 1 && shown?.file === now.file && time - changed < GROUP;
  all = [...all.slice(0, joins ? at : at + 1), now].slice(-MOST);
  at = all.length - 1;
  changed = time;
  tell();
}

/** Begins to keep what the text was. */
export function watchPast(): () => void {
  return effect(() => {
    const now = { text: text.value, file: file.value };
    // What was asked at the start was no edit.
    if (starting.value) [all, at] = [[], -1];
    if (taker === undefined) note(now, performance.now());
  });
}

/** Hands the history over. @returns what the text was, and which of it is shown */
export function takePast(take: (way: Way) => void): { readonly all: readonly Was[]; readonly at: number } {
  taker = take;
  const past = { all, at };
  [all, at] = [[], -1];
  return past;
}

/** Takes the last change back, or makes it again. */
export function step(way: Way): void {
  if (taker !== undefined) {
    taker(way);
    return;
  }
  const next = all[way === 'undo' ? at - 1 : at + 1];
  if (next === undefined) return;
  at += way === 'undo' ? -1 : 1;
  changed = 0;
  file.value = next.file;
  text.value = next.text;
  tell();
}
