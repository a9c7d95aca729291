/** The question that the page answers, as signals. Panels read them; they do not know each other. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import { FILE_NAME_PATTERN, type LinkContent, type RequestedEffort } from '../../src/report/index.ts';
import { isMapping } from '../../src/rules/index.ts';
import type { ConformanceVerdict } from '../engine/custom/verdict.ts';
import type { CheckResult, ValidScenario } from '../engine/editing/check.ts';

/** The text of the scenario, in YAML or JSON. */
export const text = signal('');
/** What its file is called, for files that are saved and for command lines. */
export const file = signal('scenario.yaml');
/** The question that a text answers, as it was typed: the title of the text as long as it is unchanged. */
export const titledText = signal({ text: '', title: '' });
/** 0..2^64-1 in decimal, as it was typed. */
export const seed = signal('1');

/** How long is played. */
export const effort = signal<RequestedEffort>({ kind: 'battles', battles: 1_000_000 });
/** The id of the panel that is shown. */
export const panel = signal('answer');

/** What the engine says of the text; undefined until it has been looked at. Of an older text while one types. */
export const checkResult = signal<CheckResult | undefined>(undefined);
/** The text that `checked` is about. */
export const checkedText = signal('');
/** The scenario, if the text that is shown holds one. */
export const validScenario: ReadonlySignal<ValidScenario | undefined> = computed(() =>
  checkResult.value?.ok === true && checkedText.value === text.value ? checkResult.value : undefined,
);

/** What checks say of systems of the user, by their ids. */
export const verdicts = signal<Readonly<Record<string, ConformanceVerdict>>>({});

/** What panels ask beside the scenario, by panel: part of the question, so links hold it. Plain JSON values. */
export const notes = signal<Readonly<Record<string, unknown>>>({});

/** Something that is read and changed like a signal; who reads it is drawn again when it changes. */
export interface NoteSignal<T> {
  value: T;
}

/**
 * A panel's own part of the question.
 * @param id      of the panel, or of one of its parts: `battle`, `compare.pair`
 * @param initial what it is unless it was changed; this is not written into links
 * @param accept  what a value of a link means; undefined if it is none. Links come from strangers
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

/** What takes a value into one field of what a panel asks. */
export const into =
  <T extends object, K extends keyof T>(of: NoteSignal<T>, field: K) =>
  (value: T[K]): void => {
    of.value = { ...of.value, [field]: value };
  };

/** What all questions to the engine hold. */
export const questionNow = () => ({ text: checkedText.value, file: file.value, seed: seed.value });

/** A text and the name of its file, as notes have them. */
export type FileText = Pick<LinkContent, 'file' | 'text'>;

/** @param most UTF-16 units: a link has room for 64 KiB of notes, as JSON */
export function isFileText(value: unknown, most: number): value is FileText {
  if (!isMapping(value)) return false;
  const { file: name, text: content } = value;
  return (
    typeof name === 'string' && FILE_NAME_PATTERN.test(name) && typeof content === 'string' && content.length <= most
  );
}

/** The note of how the scenario is shown: it stays where another one is opened. */
export const VIEW_NOTE = 'editor.view';

/** The note of rules of one's own. */
export const RULES_NOTE = 'own.rules';

/** The note of a pinned scenario, which stays next to others. */
export const PINNED_NOTE = 'answer.pinned';

const PERSISTENT_NOTES: readonly string[] = [VIEW_NOTE, PINNED_NOTE];

/** The start is shown, which asks what one wants to know, and no scenario. */
export const isStartShown = signal(false);

/** How often another scenario has come in the place of one. */
export const openingCount = signal(0);

/**
 * Another scenario in the place of this one; what panels asked of it is forgotten.
 * @param onStart the start stays: it shows what the answer is
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
