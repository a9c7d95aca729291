/**
 * Answers the question whenever it changes: exactly if affordable, and by simulation. A change cancels running work.
 */
import { computed, effect, signal, untracked } from '@preact/signals';
import type {
  AnswerRequest,
  AnswerView,
  ExactAnswer,
  PartialAnswer,
  SimulatedAnswer,
  UnaffordableAnswer,
} from '../engine/answer.ts';
import { engineRestarts, engineState, perform, WorkStopped } from '../engine/client.ts';
import { EngineDied, type EngineProxy } from '../engine/live.ts';
import { checkedText, effort, file, panel, seed, text, validScenario } from './state.ts';

export type BusyState = 'idle' | 'solving' | 'playing';

export const busy = signal<BusyState>('idle');
export const exactAnswer = signal<ExactAnswer | UnaffordableAnswer | undefined>(undefined);
export const simulatedAnswer = signal<PartialAnswer | SimulatedAnswer | undefined>(undefined);
export const answerFault = signal<unknown>(undefined);
/** Names of sides without units: there is no battle yet. */
export const emptySides = signal<readonly string[]>([]);
/** True if the work was canceled before there was an answer. */
export const isStopped = signal(false);

/** Answer that is shown: the simulated one, or the exact one until there is one. */
export const shownAnswer = computed<AnswerView | undefined>(
  () => simulatedAnswer.value ?? (exactAnswer.value?.kind === 'exact' ? exactAnswer.value : undefined),
);

const getRequestKey = (ask: AnswerRequest): string => JSON.stringify([ask.text, ask.file, ask.seed, ask.effort]);

/** Key of the request that the shown answer belongs to. */
const shownRequestKey = signal('');

/** True if the shown answer belongs to another request than the current one. */
export const isStale = computed(
  () =>
    shownRequestKey.value !==
    getRequestKey({ text: text.value, file: file.value, seed: seed.value, effort: effort.value }),
);

/** Milliseconds without a change until a request is answered; changes of the text have waited already. */
const PAUSE = 200;

/** Milliseconds that a stopped simulation has to return its partial result. */
const PATIENCE = 2000;

/** Key of the request that is answered or was answered last. */
let answeredKey = '';
let answeredText = '';
/** Number of engine restarts when the exact answer was computed, and whether it had the larger budget. */
let solvedBy = -1;
let isPatient = false;
let stopTask: (() => void) | undefined;

let current = new AbortController();

/** Cancels all work and marks it as stopped. */
function cancel(): void {
  current.abort();
  busy.value = 'idle';
  isStopped.value = true;
}

/** Stops the simulation, which returns its counts with their digest. Cancels rules that do not respond. */
export function stop(): void {
  if (busy.value === 'solving') cancel();
  if (busy.value !== 'playing') return;
  const { signal } = current;
  stopTask?.();
  setTimeout(() => {
    if (!signal.aborted && busy.value === 'playing') cancel();
  }, PATIENCE);
}

async function solveFor(ask: AnswerRequest, patient: boolean, signal: AbortSignal): Promise<void> {
  busy.value = 'solving';
  const found = await perform((engine) => engine.solve(ask, patient), signal, { patient });
  solvedBy = engineRestarts.value;
  isPatient = patient;
  exactAnswer.value = found;
  if (found.kind === 'exact' && shownRequestKey.value !== getRequestKey(ask)) {
    // The exact answer arrives before the first battles.
    simulatedAnswer.value = undefined;
    shownRequestKey.value = getRequestKey(ask);
  }
}

async function simulateFor(ask: AnswerRequest, signal: AbortSignal): Promise<void> {
  busy.value = 'playing';
  const handlePart = (part: PartialAnswer | SimulatedAnswer): void => {
    simulatedAnswer.value = part;
    shownRequestKey.value = getRequestKey(ask);
  };
  const work = (engine: EngineProxy, task: number, onPart: typeof handlePart): Promise<SimulatedAnswer> => {
    stopTask = () => void engine.stop(task);
    return engine.play(ask, task, onPart);
  };
  const result = await perform(work, signal, { onProgress: handlePart });
  busy.value = 'idle';
  handlePart(result);
}

/** Stores an error and removes the answer to the same request, which may be contradictory. */
function handleFailure(error: unknown, ask: AnswerRequest): void {
  answerFault.value = error;
  answeredKey = '';
  if (error instanceof EngineDied || shownRequestKey.value !== getRequestKey(ask)) return;
  exactAnswer.value = undefined;
  simulatedAnswer.value = undefined;
  shownRequestKey.value = '';
}

async function runGuarded(ask: AnswerRequest, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  answerFault.value = undefined;
  isStopped.value = false;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof WorkStopped) && !signal.aborted) handleFailure(error, ask);
  } finally {
    if (!signal.aborted) busy.value = 'idle';
  }
}

/** Returns whether the current engine has the exact answer: a restart loses it. */
const hasSolvedEngine = (): boolean => engineState.value === 'ready' && solvedBy === engineRestarts.value;

function answerRequest(ask: AnswerRequest, signal: AbortSignal): Promise<void> {
  const work = async (): Promise<void> => {
    const empty = await perform((engine) => engine.listEmptySides(ask.text), signal);
    emptySides.value = empty;
    if (empty.length > 0) {
      exactAnswer.value = undefined;
      simulatedAnswer.value = undefined;
      return;
    }
    const other = ask.text !== answeredText;
    if (other) exactAnswer.value = undefined;
    if (exactAnswer.value?.kind !== 'exact' || !hasSolvedEngine()) await solveFor(ask, isPatient && !other, signal);
    answeredText = ask.text;
    await simulateFor(ask, signal);
  };
  return runGuarded(ask, work, signal);
}

/** Computes the exact answer with the larger budget of several seconds, then simulates again. */
export async function solveWithFullBudget(): Promise<void> {
  const ask = { text: checkedText.value, file: file.value, seed: seed.value, effort: effort.value };
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const work = async (): Promise<void> => {
    await solveFor(ask, true, signal);
    await simulateFor(ask, signal);
  };
  await runGuarded(ask, work, signal);
}

function createRequest(): AnswerRequest | undefined {
  if (panel.value !== 'answer' || validScenario.value === undefined || engineState.value === 'dead') return undefined;
  return { text: checkedText.value, file: file.value, seed: seed.value, effort: effort.value };
}

/** Restarts work that was canceled before there was an answer. */
export function resume(): void {
  answeredKey = '';
  isStopped.value = false;
}

/** Cancels the answer to a text that is no longer shown, so that the engine is free to check the new text. */
function abandonAnswer(): void {
  answerFault.value = undefined;
  isStopped.value = false;
  if (busy.value === 'idle') return;
  current.abort();
  busy.value = 'idle';
  answeredKey = '';
}

function scheduleAnswer(request: AnswerRequest): void {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const pause = request.text === answeredText ? PAUSE : 0;
  setTimeout(() => {
    if (!signal.aborted) void answerRequest(request, signal);
  }, pause);
}

/** Starts to answer whenever the request changes. */
export function watchQuestion(): () => void {
  let last = '';
  return effect(() => {
    if (last !== text.value) untracked(abandonAnswer);
    last = text.value;
    const wanted = createRequest();
    const key = wanted && getRequestKey(wanted);
    // Canceled work restarts only on demand.
    if (wanted === undefined || key === undefined || isStopped.value || key === answeredKey) return;
    answeredKey = key;
    scheduleAnswer(wanted);
  });
}
