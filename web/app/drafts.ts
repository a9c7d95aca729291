/** Texts that were edited, kept in this browser: a few, the newest first. */
import { effect, signal } from '@preact/signals';
import { FILE_NAME } from '../../src/tell/index.ts';
import { file, openings, openText, text } from './state.ts';
import { store, stored } from './stored.ts';

export interface Draft {
  readonly file: string;
  readonly text: string;
  /** When its first change was made, in milliseconds since 1970: no two have the same. */
  readonly at: number;
}

const KEY = 'warpool.drafts';

/** Drafts that are kept. */
const MOST = 8;

/** UTF-16 units of all their texts; browsers give a site some millions. */
const UNITS = 500_000;

/** Milliseconds without a change after which a text is kept. */
const PAUSE = 1000;

const isDraft = (value: unknown): value is Draft => {
  const { file, text, at } = (value ?? {}) as Partial<Record<keyof Draft, unknown>>;
  return typeof file === 'string' && FILE_NAME.test(file) && typeof text === 'string' && Number.isSafeInteger(at);
};

/** The drafts of what is stored; what is none is left out. */
export function draftsOf(kept: string | null): Draft[] {
  try {
    const found: unknown = JSON.parse(kept ?? '[]');
    return Array.isArray(found) ? found.filter(isDraft) : [];
  } catch {
    return [];
  }
}

/** With a draft in the place of its older state: as many of the newest as there is room for. */
export function withDraft(drafts: readonly Draft[], draft: Draft): Draft[] {
  const all = [draft, ...drafts.filter(({ at }) => at !== draft.at)].toSorted((a, b) => b.at - a.at).slice(0, MOST);
  const within = (last: number): boolean =>
    all.slice(0, last + 1).reduce((sum, each) => sum + each.text.length, 0) <= UNITS;
  return all.filter((_, d) => within(d));
}

const read = (): Draft[] => draftsOf(stored(KEY));

function write(drafts: readonly Draft[]): void {
  store(KEY, JSON.stringify(drafts));
}

/** An edited text of the file that was opened, which is not the one that is shown. */
export const offer = signal<Draft | undefined>(undefined);

function offered(any: boolean): Draft | undefined {
  return read().find((draft) => (any || draft.file === file.peek()) && draft.text !== text.peek());
}

/** Opens what was offered, in the place of what is shown. */
export function take({ file, text }: Draft): void {
  openText(text, file);
}

export function forget({ at }: Draft): void {
  write(read().filter((draft) => draft.at !== at));
  offer.value = undefined;
}

/** Begins to keep what is edited. @param any whether the newest of all files is offered at first */
export function watchDrafts(any: boolean): void {
  let opening = openings.peek();
  let opened = text.peek();
  let at = 0;
  let unkept: Draft | undefined;
  const keep = (): void => {
    if (unkept !== undefined) write(withDraft(read(), unkept));
    unkept = undefined;
  };
  offer.value = offered(any);
  effect(() => {
    const [content, name] = [text.value, file.value];
    if (openings.value !== opening) {
      keep();
      [opening, opened, at] = [openings.value, content, 0];
      offer.value = offered(false);
    }
    if (content === opened) return undefined;
    offer.value = undefined;
    at ||= Date.now();
    unkept = { file: name, text: content, at };
    const timer = setTimeout(keep, PAUSE);
    return () => {
      clearTimeout(timer);
    };
  });
  addEventListener('pagehide', keep);
}
