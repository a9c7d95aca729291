/** Keeps the address of the page in step with the question, and opens links. */
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

/** Note about the link that was opened; empty if there is none. */
export const linkNote = signal('');

/** Effort that a long link requests, and the effort that is simulated until the reader confirms. */
export const deferredEffort = signal<
  { readonly requested: RequestedEffort; readonly instead: RequestedEffort } | undefined
>(undefined);

/** Maximum number of battles that are simulated when a link is opened: about ten seconds. */
const AT_ONCE = 100_000_000;

/** Returns an upper bound of the battles of an answer; a share of 0.5 has a standard deviation of 0.5. */
const countBattles = (length: RequestedEffort): number =>
  length.kind === 'battles' ? length.battles : (1.96 / (2 * length.precision)) ** 2;

/** Returns the requested effort, deferred or not. */
const getRequestedEffort = (): RequestedEffort =>
  deferredEffort.value?.instead === effort.value ? deferredEffort.value.requested : effort.value;

/** Starts the effort that was deferred. */
export function startDeferredEffort(): void {
  effort.value = getRequestedEffort();
  deferredEffort.value = undefined;
}

/** Milliseconds without a change until the address is written: browsers limit the number of changes per second. */
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

/** Creates the full address of the question. @throws InputError if the question is too long for a link */
export async function createAddress(): Promise<string> {
  return new URL(await createLink(getLinkContent()), location.href).href;
}

/** Fragment that was written last: a change to it is not a link. */
let writtenFragment = '';

/** Fragment that was read last. */
let openedFragment = '';

/** Question in the address; undefined if it has none. */
let addressContent: LinkContent | undefined;
/** Value of `openingCount` for the scenario from the address, which has an entry in the browser history. */
let addressOpening = 0;

function applyContent(content: LinkContent): void {
  batch(() => {
    notes.value = content.notes;
    file.value = content.file;
    seed.value = content.seed;
    const long = countBattles(content.effort) > AT_ONCE;
    effort.value = long ? { kind: 'battles', battles: 1_000_000 } : content.effort;
    deferredEffort.value = long ? { requested: content.effort, instead: effort.value } : undefined;
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

/** Storage key of the question that was not in the address when the page was left. */
const UNSAVED_KEY = 'warpool.left';

interface UnsavedState {
  readonly address: string;
  readonly question: unknown;
}

/** Returns the unsaved question of this address and removes it; undefined if there is none. */
function takeUnsaved(): LinkContent | undefined {
  try {
    const { address, question } = JSON.parse(sessionStorage.getItem(UNSAVED_KEY) ?? '{}') as Partial<UnsavedState>;
    sessionStorage.removeItem(UNSAVED_KEY);
    return address === location.href ? parseLinkContent(question) : undefined;
  } catch {
    // Storage may be forbidden, or its content may be from an older version of the page.
    return undefined;
  }
}

/** Stores a question that the address does not have yet: creating a link takes longer than leaving the page. */
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

/** Parses the part after `#` or `?`: a game, or a question in words; undefined if it is neither. */
function parseNamedAddress(): URLSearchParams | undefined {
  const { hash, search } = location;
  const requested = new URLSearchParams(hash.length > 1 ? hash.slice(1) : search);
  return requested.has('game') || requested.has('ask') ? requested : undefined;
}

/** Opens the game or the question. @returns whether it was opened @throws InputError if there is no such game */
async function openByName(requested: URLSearchParams): Promise<boolean> {
  const [{ openNamed }, { suggestSystem }] = await Promise.all([
    import('./start/open.ts'),
    import('../../src/rules/games.ts'),
  ]);
  const opened = await openNamed(requested);
  if (opened) addressOpening = openingCount.value;
  if (opened || requested.has('ask')) return opened;
  const game = requested.get('game') ?? '';
  throw new InputError('address, game', 'the name of a game', `${JSON.stringify(game)}${suggestSystem(game)}`);
}

/**
 * Opens the content of the address. @returns whether it was understood @throws InputError if it is not a link or a name
 */
export async function openAddressContent(): Promise<boolean> {
  const requested = parseNamedAddress();
  if (requested !== undefined) return await openByName(requested);
  applyContent(await readLink(location.hash));
  return true;
}

/** Opens the content of the address, if any. @returns whether a question was opened */
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
    // Then the previous link can be opened again.
    writtenFragment = '';
    openFault.value = error;
    return false;
  }
}

async function writeAddress(content: LinkContent, how: 'pushState' | 'replaceState'): Promise<void> {
  // The start has its own address.
  if (isStartShown.peek()) return;
  const link = await createLink(content).catch(() => '');
  addressContent = link === '' ? undefined : content;
  if (link === writtenFragment) return;
  writtenFragment = link;
  history[how](null, '', link === '' ? location.pathname + location.search : link);
}

/** Shows the start; the Back button of the browser returns here. */
export function goToStart(): void {
  if (isStartShown.value) return;
  history.pushState(null, '', location.pathname);
  writtenFragment = '';
  isStartShown.value = true;
}

/** Opens the content of a changed address, or the start if it is empty. */
async function followAddress(): Promise<void> {
  const opened = await openAddress();
  if (opened || location.hash.length > 1) return;
  writtenFragment = '';
  isStartShown.value = true;
}

/** Starts to update the address; it stays as it is until the question changes. */
export function watchAddress(): void {
  let last: LinkContent | undefined;
  let lastOpening = openingCount.peek();
  let started = isStartShown.peek();
  let writing = Promise.resolve();
  const queue = (...work: Parameters<typeof writeAddress>): void => {
    writing = writing.then(() => writeAddress(...work));
  };
  effect(() => {
    const requested = getLinkContent();
    const [before, opening] = [last, openingCount.value];
    const opens = opening !== lastOpening && opening !== addressOpening;
    const wasStart = started;
    [last, lastOpening, started] = [requested, opening, isStartShown.value];
    // The start has its own address.
    if (before === undefined || started) {
      addressContent = requested;
      return undefined;
    }
    if (opens) {
      // Another scenario gets its own history entry; the previous entry keeps all changes.
      if (!wasStart) queue(before, 'replaceState');
      queue(requested, 'pushState');
      return undefined;
    }
    const timer = setTimeout(queue, PAUSE, requested, 'replaceState');
    return () => {
      clearTimeout(timer);
    };
  });
  addEventListener('hashchange', () => void followAddress());
  // The address may have changed before the listener was added.
  if (location.hash !== openedFragment) void followAddress();
  addEventListener('pagehide', storeUnsaved);
}
