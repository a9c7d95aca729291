/** Changes of the text until the editor is loaded, which has a history of its own: it takes these along. */
import { effect, signal } from '@preact/signals';
import { file, isStartShown, text } from '../state.ts';

/** A text, and the file that it is of. */
export interface HistoryEntry {
  readonly text: string;
  readonly file: string;
}

/** Whether there is a change to take back, and one to make again. */
export const steps = signal({ undo: false, redo: false });

export type HistoryDirection = 'undo' | 'redo';

/** Milliseconds between changes that are taken back together: a number that is stepped up, a word that is typed. */
const GROUP_MILLISECONDS = 500;

/** Texts that are kept: each may be as long as a scenario can be. */
const MAX_ENTRIES = 100;

let entries: HistoryEntry[] = [];
/** The one that is shown. */
let shownIndex = -1;
let lastChange = 0;

/** What is done with the history once the editor has it. */
let historyTaker: ((way: HistoryDirection) => void) | undefined;

function updateSteps(): void {
  steps.value = { undo: shownIndex > 0, redo: shownIndex < entries.length - 1 };
}

function recordEntry(now: HistoryEntry, time: number): void {
  const shown = entries[shownIndex];
  if (shown?.text === now.text && shown.file === now.file) return;
  const joins =
    shownIndex > 0 &&
    shownIndex === entries.length - 1 &&
    shown?.file === now.file &&
    time - lastChange < GROUP_MILLISECONDS;
  entries = [...entries.slice(0, joins ? shownIndex : shownIndex + 1), now].slice(-MAX_ENTRIES);
  shownIndex = entries.length - 1;
  lastChange = time;
  updateSteps();
}

/** Begins to keep what the text was. */
export function watchHistory(): () => void {
  return effect(() => {
    const now = { text: text.value, file: file.value };
    // What was asked at the start was no edit.
    if (isStartShown.value) [entries, shownIndex] = [[], -1];
    if (historyTaker === undefined) recordEntry(now, performance.now());
  });
}

/** Hands the history over. @returns what the text was, and which of it is shown */
export function handOverHistory(take: (way: HistoryDirection) => void): {
  readonly all: readonly HistoryEntry[];
  readonly at: number;
} {
  historyTaker = take;
  const past = { all: entries, at: shownIndex };
  [entries, shownIndex] = [[], -1];
  return past;
}

/** Takes the last change back, or makes it again. */
export function stepHistory(way: HistoryDirection): void {
  if (historyTaker !== undefined) {
    historyTaker(way);
    return;
  }
  const next = entries[way === 'undo' ? shownIndex - 1 : shownIndex + 1];
  if (next === undefined) return;
  shownIndex += way === 'undo' ? -1 : 1;
  lastChange = 0;
  file.value = next.file;
  text.value = next.text;
  updateSteps();
}
