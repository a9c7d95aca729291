/** The address of the page follows the question, and a link that is opened becomes the question. */
import { batch, effect, signal } from '@preact/signals';
import { RULESET } from '../../src/answers/index.ts';
import { InputError } from '../../src/core/index.ts';
import { type Effort, linkOf, plainOf, type Question, questionOf, readLink } from '../../src/tell/index.ts';
import { openFault } from './files.ts';
import { PANELS } from './panels.ts';
import { effort, file, notes, openings, panel, seed, starting, text } from './state.ts';

/** What a reader should know about the link that was opened. */
export const linkNote = signal('');

/** What a link asks for and is not played before somebody says so, and what is played instead. */
export const withheld = signal<{ readonly asked: Effort; readonly instead: Effort } | undefined>(undefined);

/** Battles that are played because a link was opened: about ten seconds. */
const AT_ONCE = 100_000_000;

/** Battles that an answer takes at most; a share of a half has a standard deviation of a half. */
const battlesOf = (length: Effort): number =>
  length.kind === 'battles' ? length.battles : (1.96 / (2 * length.precision)) ** 2;

/** What the question asks for, played or not. */
const wished = (): Effort => (withheld.value?.instead === effort.value ? withheld.value.asked : effort.value);

/** Plays what was withheld. */
export function playWithheld(): void {
  effort.value = wished();
  withheld.value = undefined;
}

/** Milliseconds without a change after which the address is written: browsers allow few changes in a second. */
const PAUSE = 500;

function question(): Question {
  return {
    ruleset: RULESET,
    file: file.value,
    seed: seed.value,
    effort: wished(),
    panel: panel.value,
    notes: notes.value,
    text: text.value,
  };
}

/** The whole address. @throws InputError if the question is too long for one */
export async function addressOf(): Promise<string> {
  return new URL(await linkOf(question()), location.href).href;
}

/** The fragment that was written last: a change of it is no link. */
let written = '';

/** The fragment that was looked at last. */
let looked = '';

/** The question that the address holds; undefined if it holds none. */
let held: Question | undefined;
/** The opening of a scenario that came from the address: it has an entry in the history of the browser. */
let heldOpening = 0;

function take(asked: Question): void {
  batch(() => {
    notes.value = asked.notes;
    file.value = asked.file;
    seed.value = asked.seed;
    const long = battlesOf(asked.effort) > AT_ONCE;
    effort.value = long ? { kind: 'battles', battles: 1_000_000 } : asked.effort;
    withheld.value = long ? { asked: asked.effort, instead: effort.value } : undefined;
    text.value = asked.text;
    panel.value = PANELS.some(({ id }) => id === asked.panel) ? asked.panel : 'answer';
    openFault.value = undefined;
    starting.value = false;
    openings.value++;
    heldOpening = openings.value;
  });
  const other = asked.ruleset !== RULESET;
  linkNote.value = other
    ? `This link was made with ruleset ${asked.ruleset}; this page has ruleset ${RULESET}, so battles may end otherwise.`
    : '';
}

/** What was not in the address when the page was left. */
const LEFT = 'warpool.left';

interface Left {
  readonly address: string;
  readonly question: unknown;
}

/** The question that was left at this address, once: it came too late to be written. */
function takeLeft(): Question | undefined {
  try {
    const { address, question } = JSON.parse(sessionStorage.getItem(LEFT) ?? '{}') as Partial<Left>;
    sessionStorage.removeItem(LEFT);
    return address === location.href ? questionOf(question) : undefined;
  } catch {
    // Storage may be forbidden, and what is in it may be of an older page.
    return undefined;
  }
}

/** Keeps what the address does not hold yet: links take time to be made, which a page that is left has not. */
function leave(): void {
  if (starting.peek()) return;
  if (held !== undefined && isSame(held, question())) return;
  try {
    sessionStorage.setItem(LEFT, JSON.stringify({ address: location.href, question: plainOf(question()) }));
  } catch {
    // Then the last half second is lost.
  }
}

const isSame = (a: Question, b: Question): boolean => JSON.stringify(plainOf(a)) === JSON.stringify(plainOf(b));

/** What the address names behind `#` or `?`: a game, or a question in words. */
function named(): URLSearchParams | undefined {
  const { hash, search } = location;
  const asked = new URLSearchParams(hash.length > 1 ? hash.slice(1) : search);
  return asked.has('game') || asked.has('ask') ? asked : undefined;
}

/** Opens what the address names. @returns whether it was opened @throws InputError if there is no such game */
async function openByName(asked: URLSearchParams): Promise<boolean> {
  const [{ openNamed }, { systemMeant }] = await Promise.all([
    import('./front/open.ts'),
    import('../../src/rules/games.ts'),
  ]);
  const opened = await openNamed(asked);
  if (opened) heldOpening = openings.value;
  if (opened || asked.has('ask')) return opened;
  const game = asked.get('game') ?? '';
  throw new InputError('address, game', 'the name of a game', `${JSON.stringify(game)}${systemMeant(game)}`);
}

/** Opens what the address holds. @returns whether it was understood @throws InputError if it is no link and no name */
export async function openHeld(): Promise<boolean> {
  const asked = named();
  if (asked !== undefined) return await openByName(asked);
  take(await readLink(location.hash));
  return true;
}

/** Opens what the address asks, if it asks something. @returns whether there was a question that could be read */
export async function openAddress(): Promise<boolean> {
  const { hash } = location;
  looked = hash;
  try {
    const left = takeLeft();
    if (left !== undefined) take(left);
    if (left !== undefined) return true;
    if (named() !== undefined) return await openHeld();
    if (hash === '' || hash === '#' || hash === written) return false;
    await openHeld();
    written = hash;
    return true;
  } catch (error) {
    // The link before it is one again.
    written = '';
    openFault.value = error;
    return false;
  }
}

async function put(asked: Question, how: 'pushState' | 'replaceState'): Promise<void> {
  // Meanwhile the start is shown.
  if (starting.peek()) return;
  const link = await linkOf(asked).catch(() => '');
  held = link === '' ? undefined : asked;
  if (link === written) return;
  written = link;
  history[how](null, '', link === '' ? location.pathname + location.search : link);
}

/** Leads to the start, from where Back leads here again. */
export function goToStart(): void {
  if (starting.value) return;
  history.pushState(null, '', location.pathname);
  written = '';
  starting.value = true;
}

/** Opens what the address asks now; the start if that is nothing. */
async function follow(): Promise<void> {
  const opened = await openAddress();
  if (opened || location.hash.length > 1) return;
  written = '';
  starting.value = true;
}

/** Begins to keep the address; it is left alone until the question is changed. */
export function watchAddress(): void {
  let last: Question | undefined;
  let lastOpening = openings.peek();
  let started = starting.peek();
  let writing = Promise.resolve();
  const queue = (...work: Parameters<typeof put>): void => {
    writing = writing.then(() => put(...work));
  };
  effect(() => {
    const asked = question();
    const [before, opening] = [last, openings.value];
    const opens = opening !== lastOpening && opening !== heldOpening;
    const wasStart = started;
    [last, lastOpening, started] = [asked, opening, starting.value];
    // The start has an address of its own.
    if (before === undefined || started) {
      held = asked;
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
  addEventListener('hashchange', () => void follow());
  // It was changed before anybody listened.
  if (location.hash !== looked) void follow();
  addEventListener('pagehide', leave);
}
