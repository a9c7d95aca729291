/** Answers the question again whenever it changes: exact where affordable, and played. A change ends what is under way. */
import { effect, signal } from '@preact/signals';
import type { Ask, ExactAnswer, PartAnswer, PlayedAnswer, TooLarge } from '../engine/answer.ts';
import { type Afar, engineRestarts, engineState, perform, Stopped } from '../engine/client.ts';
import { checkedText, effort, file, good, panel, seed } from './state.ts';

export type Busy = 'idle' | 'solving' | 'playing';

export const busy = signal<Busy>('idle');
export const exact = signal<ExactAnswer | TooLarge | undefined>(undefined);
export const played = signal<PartAnswer | PlayedAnswer | undefined>(undefined);
export const fault = signal<unknown>(undefined);
/** What is shown answers an older question. */
export const stale = signal(false);

/** Milliseconds without a change after which a question is answered; texts have waited already. */
const PAUSE = 200;

/** The question that is answered, or was. */
let answered = '';
let answeredText = '';
/** Which engine has the law, to stand beside what it plays; and whether it took some seconds. */
let solvedBy = -1;
let patiently = false;
let stopTask: (() => void) | undefined;

/** Ends playing; what was counted is shown with its digest. */
export function stop(): void {
  stopTask?.();
}

async function solveFor(ask: Ask, patient: boolean, signal: AbortSignal): Promise<void> {
  busy.value = 'solving';
  const found = await perform((engine) => engine.solve(ask, patient), signal);
  solvedBy = engineRestarts.value;
  patiently = patient;
  exact.value = found;
  if (found.kind === 'exact' && stale.value) {
    // The law is here before a battle was played.
    played.value = undefined;
    stale.value = false;
  }
}

async function playFor(ask: Ask, signal: AbortSignal): Promise<void> {
  busy.value = 'playing';
  const tell = (part: PartAnswer): void => {
    played.value = part;
    stale.value = false;
  };
  const work = (engine: Afar, task: number, told: typeof tell): Promise<PlayedAnswer> => {
    stopTask = () => void engine.stop(task);
    return engine.play(ask, task, told);
  };
  const result = await perform(work, signal, tell);
  busy.value = 'idle';
  played.value = result;
  stale.value = false;
}

async function guarded(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  fault.value = undefined;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stopped)) fault.value = error;
    if (!(error instanceof Stopped)) answered = '';
  } finally {
    if (!signal.aborted) busy.value = 'idle';
  }
}

/** Whether the engine is the one that has solved: one that was ended has taken the law along. */
const isKept = (): boolean => engineState.value === 'ready' && solvedBy === engineRestarts.value;

function answer(ask: Ask, signal: AbortSignal): Promise<void> {
  return guarded(async () => {
    const other = ask.text !== answeredText;
    if (other) exact.value = undefined;
    if (exact.value?.kind !== 'exact' || !isKept()) await solveFor(ask, patiently && !other, signal);
    answeredText = ask.text;
    await playFor(ask, signal);
  }, signal);
}

let current = new AbortController();

/** Takes some seconds for the exact answer, which was not affordable at once, and plays again beside it. */
export async function solvePatiently(): Promise<void> {
  const ask = { text: checkedText.value, file: file.value, seed: seed.value, effort: effort.value };
  current.abort();
  current = new AbortController();
  const { signal } = current;
  await guarded(async () => {
    await solveFor(ask, true, signal);
    await playFor(ask, signal);
  }, signal);
}

/** Ends all that is under way, and says that it was ended. */
export function cancel(): void {
  current.abort();
  busy.value = 'idle';
}

function ask(): Ask | undefined {
  if (panel.value !== 'answer' || good.value === undefined || engineState.value === 'dead') return undefined;
  return { text: checkedText.value, file: file.value, seed: seed.value, effort: effort.value };
}

/** Begins to answer. */
export function watchQuestion(): () => void {
  return effect(() => {
    const wanted = ask();
    if (wanted === undefined) return;
    const key = JSON.stringify(wanted);
    if (key === answered) return;
    answered = key;
    stale.value = true;
    current.abort();
    current = new AbortController();
    const { signal } = current;
    const pause = wanted.text === answeredText ? PAUSE : 0;
    setTimeout(() => {
      if (!signal.aborted) void answer(wanted, signal);
    }, pause);
  });
}
