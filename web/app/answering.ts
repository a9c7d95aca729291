/** Answers the question again whenever it changes: exact where affordable, and played. A change ends what is under way. */
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Answer, Ask, ExactAnswer, PartAnswer, PlayedAnswer, TooLarge } from '../engine/answer.ts';
import { engineRestarts, engineState, perform, Stopped } from '../engine/client.ts';
import { type Afar, EngineDied } from '../engine/live.ts';
import { checkedText, effort, file, good, panel, seed, text } from './state.ts';

export type Busy = 'idle' | 'solving' | 'playing';

export const busy = signal<Busy>('idle');
export const exact = signal<ExactAnswer | TooLarge | undefined>(undefined);
export const played = signal<PartAnswer | PlayedAnswer | undefined>(undefined);
export const fault = signal<unknown>(undefined);
/** Sides without units: there is no battle yet. */
export const emptySides = signal<readonly string[]>([]);
/** It was ended before there was an answer. */
export const stopped = signal(false);

/** What is shown: what was played, or the law as long as nothing was. */
export const shownAnswer = computed<Answer | undefined>(
  () => played.value ?? (exact.value?.kind === 'exact' ? exact.value : undefined),
);

const keyOf = (ask: Ask): string => JSON.stringify([ask.text, ask.file, ask.seed, ask.effort]);

/** The question that what is shown answers. */
const shownFor = signal('');

/** What is shown answers another question than the one that stands there, which may be none. */
export const stale = computed(
  () => shownFor.value !== keyOf({ text: text.value, file: file.value, seed: seed.value, effort: effort.value }),
);

/** Milliseconds without a change after which a question is answered; texts have waited already. */
const PAUSE = 200;

/** Milliseconds in which playing that was told to stop must come to an end with what it has. */
const PATIENCE = 2000;

/** The question that is answered, or was. */
let answered = '';
let answeredText = '';
/** Which engine has the law, to stand beside what it plays; and whether it took some seconds. */
let solvedBy = -1;
let patiently = false;
let stopTask: (() => void) | undefined;

let current = new AbortController();

/** Ends all that is under way, and says that it was ended. */
function cancel(): void {
  current.abort();
  busy.value = 'idle';
  stopped.value = true;
}

/** Ends playing; what was counted is shown with its digest. Rules that do not come back are ended without. */
export function stop(): void {
  if (busy.value === 'solving') cancel();
  if (busy.value !== 'playing') return;
  const { signal } = current;
  stopTask?.();
  setTimeout(() => {
    if (!signal.aborted && busy.value === 'playing') cancel();
  }, PATIENCE);
}

async function solveFor(ask: Ask, patient: boolean, signal: AbortSignal): Promise<void> {
  busy.value = 'solving';
  const found = await perform((engine) => engine.solve(ask, patient), signal, { patient });
  solvedBy = engineRestarts.value;
  patiently = patient;
  exact.value = found;
  if (found.kind === 'exact' && shownFor.value !== keyOf(ask)) {
    // The law is here before a battle was played.
    played.value = undefined;
    shownFor.value = keyOf(ask);
  }
}

async function playFor(ask: Ask, signal: AbortSignal): Promise<void> {
  busy.value = 'playing';
  const hear = (part: PartAnswer | PlayedAnswer): void => {
    played.value = part;
    shownFor.value = keyOf(ask);
  };
  const work = (engine: Afar, task: number, tell: typeof hear): Promise<PlayedAnswer> => {
    stopTask = () => void engine.stop(task);
    return engine.play(ask, task, tell);
  };
  const result = await perform(work, signal, { hear });
  busy.value = 'idle';
  hear(result);
}

/** What went wrong is told in the place of an answer to the same question: what contradicts itself is none. */
function fail(error: unknown, ask: Ask): void {
  fault.value = error;
  answered = '';
  if (error instanceof EngineDied || shownFor.value !== keyOf(ask)) return;
  exact.value = undefined;
  played.value = undefined;
  shownFor.value = '';
}

async function guarded(ask: Ask, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  fault.value = undefined;
  stopped.value = false;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stopped) && !signal.aborted) fail(error, ask);
  } finally {
    if (!signal.aborted) busy.value = 'idle';
  }
}

/** Whether the engine is the one that has solved: one that was ended has taken the law along. */
const isKept = (): boolean => engineState.value === 'ready' && solvedBy === engineRestarts.value;

function answer(ask: Ask, signal: AbortSignal): Promise<void> {
  const work = async (): Promise<void> => {
    const empty = await perform((engine) => engine.empty(ask.text), signal);
    emptySides.value = empty;
    if (empty.length > 0) {
      exact.value = undefined;
      played.value = undefined;
      return;
    }
    const other = ask.text !== answeredText;
    if (other) exact.value = undefined;
    if (exact.value?.kind !== 'exact' || !isKept()) await solveFor(ask, patiently && !other, signal);
    answeredText = ask.text;
    await playFor(ask, signal);
  };
  return guarded(ask, work, signal);
}

/** Takes some seconds for the exact answer, which was not affordable at once, and plays again beside it. */
export async function solvePatiently(): Promise<void> {
  const ask = { text: checkedText.value, file: file.value, seed: seed.value, effort: effort.value };
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const work = async (): Promise<void> => {
    await solveFor(ask, true, signal);
    await playFor(ask, signal);
  };
  await guarded(ask, work, signal);
}

function ask(): Ask | undefined {
  if (panel.value !== 'answer' || good.value === undefined || engineState.value === 'dead') return undefined;
  return { text: checkedText.value, file: file.value, seed: seed.value, effort: effort.value };
}

/** Answers what was ended before there was an answer. */
export function resume(): void {
  answered = '';
  stopped.value = false;
}

/** Ends what answers a text that is not shown any more: nobody waits for it, and what looks at texts does. */
function leave(): void {
  fault.value = undefined;
  stopped.value = false;
  if (busy.value === 'idle') return;
  current.abort();
  busy.value = 'idle';
  answered = '';
}

function begin(wanted: Ask): void {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const pause = wanted.text === answeredText ? PAUSE : 0;
  setTimeout(() => {
    if (!signal.aborted) void answer(wanted, signal);
  }, pause);
}

/** Begins to answer. */
export function watchQuestion(): () => void {
  let last = '';
  return effect(() => {
    if (last !== text.value) untracked(leave);
    last = text.value;
    const wanted = ask();
    const key = wanted && keyOf(wanted);
    // What was ended is answered when somebody asks again.
    if (wanted === undefined || key === undefined || stopped.value || key === answered) return;
    answered = key;
    begin(wanted);
  });
}
