/** State of the best-response panel: player, reward, result. */
import { effect, signal } from '@preact/signals';
import { engineState, perform, WorkStopped } from '../../engine/client.ts';
import { EngineDied } from '../../engine/live.ts';
import type {
  BestResponseAnswer,
  BestResponseChoices,
  UnaffordableBestResponse,
} from '../../engine/studies/best-response.ts';
import { battleIndex } from '../battle/replay.ts';
import { checkedText, createNoteSignal, file, panel, seed, validScenario } from '../state.ts';

const MAX_NAME_LENGTH = 100;

const parseName = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= MAX_NAME_LENGTH ? value : undefined;

/** Chosen names; a scenario may not have them. */
const chosenAgent = createNoteSignal('best-response.agent', '', parseName);
const chosenReward = createNoteSignal('best-response.reward', '', parseName);

/** Budget in steps: one or two seconds. */
export const QUICK_BUDGET = 200_000;

export const gameOptions = signal<BestResponseChoices | undefined>(undefined);
export const bestResponse = signal<BestResponseAnswer | UnaffordableBestResponse | undefined>(undefined);
export const bestResponseFault = signal<unknown>(undefined);
export const busy = signal(false);
/** True if the computation was stopped. */
export const isStopped = signal(false);

/** Returns the chosen player if the scenario has it, else its first. */
export function getAgent(): string {
  const { players = [] } = gameOptions.value ?? {};
  return players.find((name) => name === chosenAgent.value) ?? players[0] ?? '';
}

export function getReward(): string {
  const { rewards = [] } = gameOptions.value ?? {};
  return rewards.find((name) => name === chosenReward.value) ?? rewards[0] ?? '';
}

export function chooseAgent(name: string): void {
  chosenAgent.value = name;
}

export function chooseReward(name: string): void {
  chosenReward.value = name;
}

let current = new AbortController();
/** Key of the request that is answered or in progress. */
let requestedKey = '';
/** Scenario text of the options. */
export const optionsText = signal('');

export function stop(): void {
  current.abort();
  busy.value = false;
  isStopped.value = true;
}

async function runGuarded(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  busy.value = true;
  isStopped.value = false;
  bestResponseFault.value = undefined;
  try {
    await work(signal);
  } catch (error) {
    if (error instanceof WorkStopped || signal.aborted) return;
    bestResponse.value = undefined;
    bestResponseFault.value = error;
    if (error instanceof EngineDied) requestedKey = '';
  }
  if (!signal.aborted) busy.value = false;
}

/** Computes a best response. @param budget maximum number of steps */
export function solve(budget: number): Promise<void> {
  const which = { text: checkedText.value, file: file.value, seed: seed.value, battle: battleIndex.value };
  const aim = { agent: getAgent(), reward: getReward(), budget };
  return runGuarded(async (signal) => {
    const found = await perform((engine) => engine.findBestResponse(which, aim), signal, {
      patient: budget > QUICK_BUDGET,
    });
    if (!signal.aborted) bestResponse.value = found;
  });
}

function loadOptions(text: string): Promise<void> {
  gameOptions.value = undefined;
  bestResponse.value = undefined;
  return runGuarded(async (signal) => {
    const found = await perform((engine) => engine.listBestResponseChoices(text), signal);
    if (!signal.aborted) gameOptions.value = found;
  });
}

/** Starts to compute whenever the request changes. */
export function watchBestResponse(): () => void {
  return effect(() => {
    if (panel.value !== 'best-response' || validScenario.value === undefined || engineState.value === 'dead') return;
    const text = checkedText.value;
    // Read here, so that the effect runs again when they arrive.
    const known = gameOptions.value;
    if (optionsText.peek() !== text) {
      optionsText.value = text;
      requestedKey = '';
      void loadOptions(text);
      return;
    }
    if (known === undefined || known.points.length === 0) return;
    const key = JSON.stringify([text, seed.value, battleIndex.value, getAgent(), getReward()]);
    if (key === requestedKey) return;
    requestedKey = key;
    void solve(QUICK_BUDGET);
  });
}
