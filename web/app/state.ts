/** The question that the page answers, as signals. Panels read these and do not import each other. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { FILE_NAME_PATTERN, type LinkContent, type RequestedEffort } from '../../src/report/index.ts';
import { isMapping } from '../../src/rules/index.ts';
import type { ConformanceVerdict } from '../engine/custom/verdict.ts';
import type { CheckResult, ValidScenario } from '../engine/editing/check.ts';

/** The text of the scenario, in YAML or JSON. */
export const text = signal('');
/** File name, for saved files and command lines. */
export const file = signal('scenario.yaml');
/** Title of a text: the typed question, as long as the text is unchanged. */
export const titledText = signal({ text: '', title: '' });
/** 0..2^64-1 in decimal, as typed. */
export const seed = signal('1');

/** Length of the simulation. */
export const effort = signal<RequestedEffort>({ kind: 'battles', battles: 1_000_000 });
/** Id of the current panel. */
export const panel = signal('answer');

/** Result of the last validation; undefined before the first, and possibly of an older text while the user types. */
export const checkResult = signal<CheckResult | undefined>(undefined);
/** Text that `checkResult` belongs to. */
export const checkedText = signal('');
/** The valid scenario of the shown text, if any. */
export const validScenario: ReadonlySignal<ValidScenario | undefined> = computed(() =>
  checkResult.value?.ok === true && checkedText.value === text.value ? checkResult.value : undefined,
);

/** Results of the checks of custom systems, by system id. */
export const verdicts = signal<Readonly<Record<string, ConformanceVerdict>>>({});

/** Options of panels, by panel id: plain JSON values, part of the question and of links. */
export const notes = signal<Readonly<Record<string, unknown>>>({});

/** Value that is read and changed like a signal; readers are rendered again when it changes. */
export interface NoteSignal<T> {
  value: T;
}

/**
 * Creates an option of a panel that is stored in links.
 * @param id of the panel or of a part of it: `battle`, `compare.pair`
 * @param initial default value, which is not written into links
 * @param accept parses the value of a link, which may come from strangers; undefined if it is invalid
 */
export function createNoteSignal<T>(id: string, initial: T, accept: (value: unknown) => T | undefined): NoteSignal<T> {
  const shown = computed<T>(() => {
    const raw = notes.value[id];
    return (raw === undefined ? undefined : accept(raw)) ?? initial;
  });
  return {
    get value() {
      return shown.value;
    },
    set value(value: T) {
      const { [id]: _, ...others } = notes.peek();
      notes.value = value === initial ? others : { ...others, [id]: value };
    },
  };
}

/** Returns a setter of one field of a panel option. */
export const into =
  <T extends object, K extends keyof T>(of: NoteSignal<T>, field: K) =>
  (value: T[K]): void => {
    of.value = { ...of.value, [field]: value };
  };

/** Returns the fields that all requests to the engine have. */
export const questionNow = () => ({ text: checkedText.value, file: file.value, seed: seed.value });

/** Text and name of a file, as stored in notes. */
export type FileText = Pick<LinkContent, 'file' | 'text'>;

/** Checks a stored file. @param most maximum UTF-16 units of the text: a link has room for 64 KiB of notes, as JSON */
export function isFileText(value: unknown, most: number): value is FileText {
  if (!isMapping(value)) return false;
  const { file: name, text: content } = value;
  return (
    typeof name === 'string' && FILE_NAME_PATTERN.test(name) && typeof content === 'string' && content.length <= most
  );
}

/** Id of the note of the editor view, which stays when another scenario is opened. */
export const VIEW_NOTE = 'editor.view';

/** Id of the note of custom rules. */
export const RULES_NOTE = 'own.rules';

/** Id of the note of a pinned scenario, which stays when another scenario is opened. */
export const PINNED_NOTE = 'answer.pinned';

/** Ids of notes that stay when another scenario is opened; roster and balance problem have the names of their panels. */
const PERSISTENT_NOTES: readonly string[] = [VIEW_NOTE, PINNED_NOTE, 'matchup', 'balance-problem'];

/** True while the start is shown instead of a scenario. */
export const isStartShown = signal(false);

/** Number of scenarios that were opened. */
export const openingCount = signal(0);

/**
 * Opens another scenario and resets the options of panels.
 * @param onStart true to stay at the start, which shows the answer
 */
export function openText(value: string, name: string, onStart = false): void {
  batch(() => {
    isStartShown.value = onStart;
    notes.value = Object.fromEntries(Object.entries(notes.peek()).filter(([id]) => PERSISTENT_NOTES.includes(id)));
    openingCount.value++;
    file.value = name;
    text.value = value;
  });
}
