/** The address of the page follows the question, and a link that is opened becomes the question. */
import { batch, effect, signal } from '@preact/signals';
import { linkOf, readLink } from '../../src/link/link.ts';
import type { Question } from '../../src/link/question.ts';
import { RULESET } from '../../src/stats/digest.ts';
import { openFault } from './files.ts';
import { PANELS } from './panels.ts';
import { effort, file, notes, panel, seed, text } from './state.ts';

/** What a reader should know about the link that was opened. */
export const linkNote = signal('');

/** Milliseconds without a change after which the address is written: browsers allow few changes in a second. */
const PAUSE = 500;

function question(): Question {
  return {
    ruleset: RULESET,
    file: file.value,
    seed: seed.value,
    effort: effort.value,
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

function take(asked: Question): void {
  batch(() => {
    notes.value = asked.notes;
    file.value = asked.file;
    seed.value = asked.seed;
    effort.value = asked.effort;
    text.value = asked.text;
    panel.value = PANELS.some(({ id }) => id === asked.panel) ? asked.panel : 'answer';
    openFault.value = undefined;
  });
  const other = asked.ruleset !== RULESET;
  linkNote.value = other
    ? `This link was made with ruleset ${asked.ruleset}; this page has ruleset ${RULESET}, so battles may end otherwise.`
    : '';
}

/** Opens the link of the address, if there is one. @returns whether there was one that could be read */
export async function openAddress(): Promise<boolean> {
  const { hash } = location;
  if (hash === '' || hash === '#' || hash === written) return false;
  try {
    take(await readLink(hash));
    written = hash;
    return true;
  } catch (error) {
    // The link before it is one again.
    written = '';
    openFault.value = error;
    return false;
  }
}

async function write(signal: AbortSignal): Promise<void> {
  const link = await linkOf(question()).catch(() => '');
  if (signal.aborted || link === written) return;
  written = link;
  history.replaceState(null, '', link === '' ? location.pathname + location.search : link);
}

/** Begins to keep the address; it is left alone until the question is changed. */
export function watchAddress(): void {
  let first = true;
  effect(() => {
    question();
    const controller = new AbortController();
    if (!first) setTimeout(() => void (controller.signal.aborted || write(controller.signal)), PAUSE);
    first = false;
    return () => {
      controller.abort();
    };
  });
  addEventListener('hashchange', () => void openAddress());
}
