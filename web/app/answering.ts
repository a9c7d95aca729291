/** Answers the question again whenever it changes: exact where affordable, and played. A change ends what is under way. */
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
/** Sides without units: there is no battle yet. */
export const emptySides = signal<readonly string[]>([]);
/** It was ended before there was an answer. */
export const isStopped = signal(false);

/** What is shown: what was played, or the law as long as nothing was. */
export const shownAnswer = computed<AnswerView | undefined>(
  () => simulatedAnswer.value ?? (exactAnswer.value?.kind === 'exact' ? exactAnswer.value : undefined),
);

const getRequestKey = (ask: AnswerRequest): string => JSON.stringify([ask.text, ask.file, ask.seed, ask.effort]);

/** The question that what is shown answers. */
const shownRequestKey = signal('');

/** What is shown answers another question than the one that stands there, which may be none. */
export const isStale = computed(
  () =>
    shownRequestKey.value !==
    getRequestKey({ text: text.value, file: file.value, seed: seed.value, effort: effort.value }),
);

/** Milliseconds without a change after which a question is answered; texts have waited already. */
const PAUSE = 200;

/** Milliseconds in which playing that was told to stop must come to an end with what it has. */
const PATIENCE = 2000;

/** The question that is answered, or was. */
let answeredKey = '';
let answeredText = '';
/** Which engine has the law, to stand beside what it plays; and whether it took some seconds. */
let solvedBy = -1;
let isPatient = false;
let stopTask: (() => void) | undefined;

let current = new AbortController();

/** Ends all that is under way, and says that it was ended. */
function cancel(): void {
  current.abort();
  busy.value = 'idle';
  isStopped.value = true;
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

async function solveFor(ask: AnswerRequest, patient: boolean, signal: AbortSignal): Promise<void> {
  busy.value = 'solving';
  const found = await perform((engine) => engine.solve(ask, patient), signal, { patient });
  solvedBy = engineRestarts.value;
  isPatient = patient;
  exactAnswer.value = found;
  if (found.kind === 'exact' && shownRequestKey.value !== getRequestKey(ask)) {
    // The law is here before a battle was played.
    simulatedAnswer.value = undefined;
    shownRequestKey.value = getRequestKey(ask);
  }
}

async function simulateFor(ask: AnswerRequest, signal: AbortSignal): Promise<void> {
  busy.value = 'playing';
  const hear = (part: PartialAnswer | SimulatedAnswer): void => {
    simulatedAnswer.value = part;
    shownRequestKey.value = getRequestKey(ask);
  };
  const work = (engine: EngineProxy, task: number, tell: typeof hear): Promise<SimulatedAnswer> => {
    stopTask = () => void engine.stop(task);
    return engine.play(ask, task, tell);
  };
  const result = await perform(work, signal, { hear });
  busy.value = 'idle';
  hear(result);
}

/** What went wrong is told in the place of an answer to the same question: what contradicts itself is none. */
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

/** Whether the engine is the one that has solved: one that was ended has taken the law along. */
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

/** Takes some seconds for the exact answer, which was not affordable at once, and plays again beside it. */
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

/** Answers what was ended before there was an answer. */
export function resume(): void {
  answeredKey = '';
  isStopped.value = false;
}

/** Ends what answers a text that is not shown any more: nobody waits for it, and what looks at texts does. */
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

/** Begins to answer. */
export function watchQuestion(): () => void {
  let last = '';
  return effect(() => {
    if (last !== text.value) untracked(abandonAnswer);
    last = text.value;
    const wanted = createRequest();
    const key = wanted && getRequestKey(wanted);
    // What was ended is answered when somebody asks again.
    if (wanted === undefined || key === undefined || isStopped.value || key === answeredKey) return;
    answeredKey = key;
    scheduleAnswer(wanted);
  });
}
