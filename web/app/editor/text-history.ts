/** History of the text until the editor is loaded, which then takes it over. */
import { effect, signal } from '@preact/signals';
import { file, isStartShown, text } from '../state.ts';

/** A text and its file name. */
export interface HistoryEntry {
  readonly text: string;
  readonly file: string;
}

/** Availability of undo and redo. */
export const steps = signal({ undo: false, redo: false });

export type HistoryDirection = 'undo' | 'redo';

/** Milliseconds between changes that are undone together, such as a typed word. */
const GROUP_MILLISECONDS = 500;

/** Maximum number of entries: each may be as long as a scenario can be. */
const MAX_ENTRIES = 100;

let entries: HistoryEntry[] = [];
/** Index of the current entry. */
let shownIndex = -1;
let lastChange = 0;

/** Undo and redo of the editor, once it is loaded. */
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

/** Starts to record changes of the text. */
export function watchHistory(): () => void {
  return effect(() => {
    const now = { text: text.value, file: file.value };
    // Questions at the start are not edits.
    if (isStartShown.value) [entries, shownIndex] = [[], -1];
    if (historyTaker === undefined) recordEntry(now, performance.now());
  });
}

/** Hands the history over to the editor. @returns all entries, and the index of the current one */
export function handOverHistory(take: (way: HistoryDirection) => void): {
  readonly all: readonly HistoryEntry[];
  readonly at: number;
} {
  historyTaker = take;
  const past = { all: entries, at: shownIndex };
  [entries, shownIndex] = [[], -1];
  return past;
}

/** Undoes or redoes a change. */
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
