/** The address of the page follows the question, and a link that is opened becomes the question. */
import { batch, effect, signal } from '@preact/signals';
import { InputError } from '../../src/core/index.ts';
import {
  createLink,
  type LinkContent,
  parseLinkContent,
  type RequestedEffort,
  readLink,
  toPlainContent,
} from '../../src/report/index.ts';
import { RULESET } from '../../src/stats/index.ts';
import { openFault } from './files.ts';
import { PANELS } from './panels.ts';
import { effort, file, isStartShown, notes, openingCount, panel, seed, text } from './state.ts';

/** What a reader should know about the link that was opened. */
export const linkNote = signal('');

/** What a link asks for and is not played before somebody says so, and what is played instead. */
export const deferredEffort = signal<
  { readonly asked: RequestedEffort; readonly instead: RequestedEffort } | undefined
>(undefined);

/** Battles that are played because a link was opened: about ten seconds. */
const AT_ONCE = 100_000_000;

/** Battles that an answer takes at most; a share of a half has a standard deviation of a half. */
const countBattles = (length: RequestedEffort): number =>
  length.kind === 'battles' ? length.battles : (1.96 / (2 * length.precision)) ** 2;

/** What the question asks for, played or not. */
const getRequestedEffort = (): RequestedEffort =>
  deferredEffort.value?.instead === effort.value ? deferredEffort.value.asked : effort.value;

/** Plays what was withheld. */
export function startDeferredEffort(): void {
  effort.value = getRequestedEffort();
  deferredEffort.value = undefined;
}

/** Milliseconds without a change after which the address is written: browsers allow few changes in a second. */
const PAUSE = 500;

function getLinkContent(): LinkContent {
  return {
    ruleset: RULESET,
    file: file.value,
    seed: seed.value,
    effort: getRequestedEffort(),
    panel: panel.value,
    notes: notes.value,
    text: text.value,
  };
}

/** The whole address. @throws InputError if the question is too long for one */
export async function createAddress(): Promise<string> {
  return new URL(await createLink(getLinkContent()), location.href).href;
}

/** The fragment that was written last: a change of it is no link. */
let writtenFragment = '';

/** The fragment that was looked at last. */
let openedFragment = '';

/** The question that the address holds; undefined if it holds none. */
let addressContent: LinkContent | undefined;
/** The opening of a scenario that came from the address: it has an entry in the history of the browser. */
let addressOpening = 0;

function applyContent(content: LinkContent): void {
  batch(() => {
    notes.value = content.notes;
    file.value = content.file;
    seed.value = content.seed;
    const long = countBattles(content.effort) > AT_ONCE;
    effort.value = long ? { kind: 'battles', battles: 1_000_000 } : content.effort;
    deferredEffort.value = long ? { asked: content.effort, instead: effort.value } : undefined;
    text.value = content.text;
    panel.value = PANELS.some(({ id }) => id === content.panel) ? content.panel : 'answer';
    openFault.value = undefined;
    isStartShown.value = false;
    openingCount.value++;
    addressOpening = openingCount.value;
  });
  const other = content.ruleset !== RULESET;
  linkNote.value = other
    ? `This link was made with ruleset ${content.ruleset}; this page uses ruleset ${RULESET}, so results may differ.`
    : '';
}

/** What was not in the address when the page was left. */
const UNSAVED_KEY = 'warpool.left';

interface UnsavedState {
  readonly address: string;
  readonly question: unknown;
}

/** The question that was left at this address, once: it came too late to be written. */
function takeUnsaved(): LinkContent | undefined {
  try {
    const { address, question } = JSON.parse(sessionStorage.getItem(UNSAVED_KEY) ?? '{}') as Partial<UnsavedState>;
    sessionStorage.removeItem(UNSAVED_KEY);
    return address === location.href ? parseLinkContent(question) : undefined;
  } catch {
    // Storage may be forbidden, and what is in it may be of an older page.
    return undefined;
  }
}

/** Keeps what the address does not hold yet: links take time to be made, which a page that is left has not. */
function storeUnsaved(): void {
  if (isStartShown.peek()) return;
  if (addressContent !== undefined && isSame(addressContent, getLinkContent())) return;
  try {
    sessionStorage.setItem(
      UNSAVED_KEY,
      JSON.stringify({ address: location.href, question: toPlainContent(getLinkContent()) }),
    );
  } catch {
    // Then the last half second is lost.
  }
}

const isSame = (a: LinkContent, b: LinkContent): boolean =>
  JSON.stringify(toPlainContent(a)) === JSON.stringify(toPlainContent(b));

/** What the address names behind `#` or `?`: a game, or a question in words. */
function parseNamedAddress(): URLSearchParams | undefined {
  const { hash, search } = location;
  const asked = new URLSearchParams(hash.length > 1 ? hash.slice(1) : search);
  return asked.has('game') || asked.has('ask') ? asked : undefined;
}

/** Opens what the address names. @returns whether it was opened @throws InputError if there is no such game */
async function openByName(asked: URLSearchParams): Promise<boolean> {
  const [{ openNamed }, { suggestSystem }] = await Promise.all([
    import('./start/open.ts'),
    import('../../src/rules/games.ts'),
  ]);
  const opened = await openNamed(asked);
  if (opened) addressOpening = openingCount.value;
  if (opened || asked.has('ask')) return opened;
  const game = asked.get('game') ?? '';
  throw new InputError('address, game', 'the name of a game', `${JSON.stringify(game)}${suggestSystem(game)}`);
}

/** Opens what the address holds. @returns whether it was understood @throws InputError if it is no link and no name */
export async function openAddressContent(): Promise<boolean> {
  const asked = parseNamedAddress();
  if (asked !== undefined) return await openByName(asked);
  applyContent(await readLink(location.hash));
  return true;
}

/** Opens what the address asks, if it asks something. @returns whether there was a question that could be read */
export async function openAddress(): Promise<boolean> {
  const { hash } = location;
  openedFragment = hash;
  try {
    const left = takeUnsaved();
    if (left !== undefined) applyContent(left);
    if (left !== undefined) return true;
    if (parseNamedAddress() !== undefined) return await openAddressContent();
    if (hash === '' || hash === '#' || hash === writtenFragment) return false;
    await openAddressContent();
    writtenFragment = hash;
    return true;
  } catch (error) {
    // The link before it is one again.
    writtenFragment = '';
    openFault.value = error;
    return false;
  }
}

async function writeAddress(content: LinkContent, how: 'pushState' | 'replaceState'): Promise<void> {
  // Meanwhile the start is shown.
  if (isStartShown.peek()) return;
  const link = await createLink(content).catch(() => '');
  addressContent = link === '' ? undefined : content;
  if (link === writtenFragment) return;
  writtenFragment = link;
  history[how](null, '', link === '' ? location.pathname + location.search : link);
}

/** Leads to the start, from where Back leads here again. */
export function goToStart(): void {
  if (isStartShown.value) return;
  history.pushState(null, '', location.pathname);
  writtenFragment = '';
  isStartShown.value = true;
}

/** Opens what the address asks now; the start if that is nothing. */
async function followAddress(): Promise<void> {
  const opened = await openAddress();
  if (opened || location.hash.length > 1) return;
  writtenFragment = '';
  isStartShown.value = true;
}

/** Begins to keep the address; it is left alone until the question is changed. */
export function watchAddress(): void {
  let last: LinkContent | undefined;
  let lastOpening = openingCount.peek();
  let started = isStartShown.peek();
  let writing = Promise.resolve();
  const queue = (...work: Parameters<typeof writeAddress>): void => {
    writing = writing.then(() => writeAddress(...work));
  };
  effect(() => {
    const asked = getLinkContent();
    const [before, opening] = [last, openingCount.value];
    const opens = opening !== lastOpening && opening !== addressOpening;
    const wasStart = started;
    [last, lastOpening, started] = [asked, opening, isStartShown.value];
    // The start has an address of its own.
    if (before === undefined || started) {
      addressContent = asked;
      return undefined;
    }
    if (opens) {
      // Another scenario has an entry of its own; the one before it keeps all that was changed.
      if (!wasStart) queue(before, 'replaceState');
      queue(asked, 'pushState');
      return undefined;
    }
    const timer = setTimeout(queue, PAUSE, asked, 'replaceState');
    return () => {
      clearTimeout(timer);
    };
  });
  addEventListener('hashchange', () => void followAddress());
  // It was changed before anybody listened.
  if (location.hash !== openedFragment) void followAddress();
  addEventListener('pagehide', storeUnsaved);
}
