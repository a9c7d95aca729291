/** Rules that are written here: their text, what is wrong with it, and their answer once they are run. */
import { computed, effect, signal } from '@preact/signals';
import type { ExactAnswer, TooLarge } from '../../engine/answer.ts';
import { perform, Stopped } from '../../engine/client.ts';
import { draftsOf } from '../drafts.ts';
import { saveAs } from '../files.ts';
import { inquire } from '../inquire.ts';
import { wordsOf } from '../parts/problem.tsx';
import { checkedText, good, file as scenarioFile } from '../state.ts';
import { store, stored } from '../stored.ts';
import { chosen, fault, open, opened, running } from './module.ts';

const FILE = 'my-rules.js';

/** Where this browser keeps the rules, as drafts of scenarios are. */
const KEY = 'warpool.rules';

/** When the text was begun, in milliseconds since 1970. */
let begun = 0;

/** Begins with a text: the smallest game, or what was kept. */
export function begin(text: string, file = FILE, at = Date.now()): void {
  begun = at;
  fault.value = undefined;
  chosen.value = { file, text, from: 'here' };
}

/** What was kept, where it is not what is shown. */
export const kept = signal(draftsOf(stored(KEY))[0]);

/** Takes a change of the text; what was read from elsewhere is a text of one's own from then on. */
export function write(text: string): void {
  begun ||= Date.now();
  chosen.value = { file: chosen.peek()?.file ?? FILE, text, from: 'here' };
}

export function save(): void {
  const module = chosen.peek();
  if (module !== undefined) saveAs(new Blob([module.text], { type: 'text/javascript' }), module.file);
}

/** It differs from what runs. */
export const changed = computed(() => chosen.value !== undefined && chosen.value.text !== running.value?.text);

/** What is wrong with the text as it is read. */
const syntax = signal<unknown>(undefined);

/** The exact answer to the scenario by these rules. */
export const answer = signal<ExactAnswer | TooLarge | undefined>(undefined);
const answerFault = signal<unknown>(undefined);

/** All that is wrong, in the words of the engine. */
export const faults = computed(() =>
  [syntax.value, ...(changed.value && fault.value === undefined ? [] : [fault.value, answerFault.value])]
    .filter((error) => error !== undefined)
    .flatMap(wordsOf),
);

/** Milliseconds without a key after which a text is looked at and kept. */
const PAUSE = 400;

function watchText(): () => void {
  return effect(() => {
    const module = chosen.value;
    syntax.value = undefined;
    if (module === undefined) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      if (module.from === 'here') store(KEY, JSON.stringify([{ file: module.file, text: module.text, at: begun }]));
      perform((engine) => engine.checkModule({ file: module.file, text: module.text }), controller.signal).catch(
        (error: unknown) => {
          if (!controller.signal.aborted && !(error instanceof Stopped)) syntax.value = error;
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  });
}

/** Answers the scenario by the rules that run, as long as it is one of theirs. */
function watchAnswer(): () => void {
  return effect(() => {
    const [systems, scenario, text] = [opened.value?.systems ?? [], good.value, checkedText.value];
    const mine = scenario !== undefined && systems.some(({ id }) => id === scenario.system);
    answerFault.value = undefined;
    if (!mine) {
      answer.value = undefined;
      return undefined;
    }
    const ask = { text, file: scenarioFile.peek() };
    const hear = (found?: ExactAnswer | TooLarge, error?: unknown): void => {
      [answer.value, answerFault.value] = [found, error];
    };
    return inquire((engine) => engine.solve(ask, false), hear, {
      ends: true,
      fail: (error) => {
        hear(undefined, error);
      },
    });
  });
}

/** Begins to look at what is written. */
export function watchWritten(): () => void {
  const ends = [watchText(), watchAnswer()];
  return () => {
    for (const end of ends) end();
  };
}

/** Runs the text in an engine of its own, and shows its first example. */
export const run = (): Promise<void> => open();
