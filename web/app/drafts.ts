/** Edited texts in the local storage of this browser: a few, the newest first. */
import { effect, signal } from '@preact/signals';
import { FILE_NAME_PATTERN } from '../../src/report/index.ts';
import { file, openingCount, openText, text } from './state.ts';
import { store, stored } from './stored.ts';

export interface Draft {
  readonly file: string;
  readonly text: string;
  /** Time of its first change in milliseconds since 1970, unique among drafts. */
  readonly at: number;
}

const DRAFTS_KEY = 'warpool.drafts';

/** Maximum number of drafts. */
const MAX_DRAFTS = 8;

/** Maximum number of UTF-16 units of all texts; browsers give a site a few million. */
const MAX_UNITS = 500_000;

/** Milliseconds without a change until a draft is stored. */
const PAUSE = 1000;

const isDraft = (value: unknown): value is Draft => {
  const { file, text, at } = (value ?? {}) as Partial<Record<keyof Draft, unknown>>;
  return (
    typeof file === 'string' && FILE_NAME_PATTERN.test(file) && typeof text === 'string' && Number.isSafeInteger(at)
  );
};

/** Parses stored drafts; skips invalid entries. */
export function parseDrafts(kept: string | null): Draft[] {
  try {
    const found: unknown = JSON.parse(kept ?? '[]');
    return Array.isArray(found) ? found.filter(isDraft) : [];
  } catch {
    return [];
  }
}

/** Replaces the older version of a draft, and keeps the newest drafts within the limits. */
export function addDraft(drafts: readonly Draft[], draft: Draft): Draft[] {
  const all = [draft, ...drafts.filter(({ at }) => at !== draft.at)]
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_DRAFTS);
  const isWithin = (last: number): boolean =>
    all.slice(0, last + 1).reduce((sum, each) => sum + each.text.length, 0) <= MAX_UNITS;
  return all.filter((_, d) => isWithin(d));
}

const readDrafts = (): Draft[] => parseDrafts(stored(DRAFTS_KEY));

function writeDrafts(drafts: readonly Draft[]): void {
  store(DRAFTS_KEY, JSON.stringify(drafts));
}

/** Stored draft of the opened file, if it differs from the shown text. */
export const offeredDraft = signal<Draft | undefined>(undefined);

function findOfferedDraft(any: boolean): Draft | undefined {
  return readDrafts().find((draft) => (any || draft.file === file.peek()) && draft.text !== text.peek());
}

/** Replaces the shown text by a draft. */
export function openDraft({ file, text }: Draft): void {
  openText(text, file);
}

export function deleteDraft({ at }: Draft): void {
  writeDrafts(readDrafts().filter((draft) => draft.at !== at));
  offeredDraft.value = undefined;
}

/** Starts to store edits. @param any true to offer the newest draft of any file first */
export function watchDrafts(any: boolean): void {
  let opening = openingCount.peek();
  let opened = text.peek();
  let at = 0;
  let unkept: Draft | undefined;
  const keep = (): void => {
    if (unkept !== undefined) writeDrafts(addDraft(readDrafts(), unkept));
    unkept = undefined;
  };
  offeredDraft.value = findOfferedDraft(any);
  effect(() => {
    const [content, name] = [text.value, file.value];
    if (openingCount.value !== opening) {
      keep();
      [opening, opened, at] = [openingCount.value, content, 0];
      offeredDraft.value = findOfferedDraft(false);
    }
    if (content === opened) return undefined;
    offeredDraft.value = undefined;
    at ||= Date.now();
    unkept = { file: name, text: content, at };
    const timer = setTimeout(keep, PAUSE);
    return () => {
      clearTimeout(timer);
    };
  });
  addEventListener('pagehide', keep);
}
