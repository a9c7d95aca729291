/** Whose best play is asked for, and what the engine says. */
import { effect, signal } from '@preact/signals';
import { engineState, perform, Stopped } from '../../engine/client.ts';
import { EngineDied } from '../../engine/live.ts';
import type { OptimalAnswer, Sides, Unaffordable } from '../../engine/optimal.ts';
import { number } from '../battle/told.ts';
import { asked, checkedText, file, good, panel, seed } from '../state.ts';

const NAME_MAX = 100;

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= NAME_MAX ? value : undefined;

/** Names that were chosen; a scenario may have others. */
const chosenAgent = asked('optimal.player', '', nameOf);
const chosenWish = asked('optimal.wish', '', nameOf);

/** Steps that take a second or two. */
export const AT_ONCE = 200_000;

export const sides = signal<Sides | undefined>(undefined);
export const answer = signal<OptimalAnswer | Unaffordable | undefined>(undefined);
export const fault = signal<unknown>(undefined);
export const busy = signal(false);
/** What is shown answers another question, or was ended. */
export const stopped = signal(false);

/** The player and the wish: what was chosen if the scenario has it, else its first. */
export function agent(): string {
  const { players = [] } = sides.value ?? {};
  return players.find((name) => name === chosenAgent.value) ?? players[0] ?? '';
}

export function wish(): string {
  const { wishes = [] } = sides.value ?? {};
  return wishes.find((name) => name === chosenWish.value) ?? wishes[0] ?? '';
}

export function chooseAgent(name: string): void {
  chosenAgent.value = name;
}

export function chooseWish(name: string): void {
  chosenWish.value = name;
}

let current = new AbortController();
/** The question that is answered, or is about to be. */
let wanted = '';
/** The text of the scenario that is asked about. */
export const sidesOf = signal('');

export function stop(): void {
  current.abort();
  busy.value = false;
  stopped.value = true;
}

async function guarded(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  busy.value = true;
  stopped.value = false;
  fault.value = undefined;
  try {
    await work(signal);
  } catch (error) {
    if (error instanceof Stopped || signal.aborted) return;
    answer.value = undefined;
    fault.value = error;
    if (error instanceof EngineDied) wanted = '';
  }
  if (!signal.aborted) busy.value = false;
}

/** Answers, with so many steps at most. */
export function solve(budget: number): Promise<void> {
  const which = { text: checkedText.value, file: file.value, seed: seed.value, battle: number.value };
  const aim = { agent: agent(), wish: wish(), budget };
  return guarded(async (signal) => {
    const found = await perform((engine) => engine.optimal(which, aim), signal, { patient: budget > AT_ONCE });
    if (!signal.aborted) answer.value = found;
  });
}

function learn(text: string): Promise<void> {
  sides.value = undefined;
  answer.value = undefined;
  return guarded(async (signal) => {
    const found = await perform((engine) => engine.sides(text), signal);
    if (!signal.aborted) sides.value = found;
  });
}

/** Begins to answer whenever the question changes. */
export function watchOptimal(): () => void {
  return effect(() => {
    if (panel.value !== 'optimal' || good.value === undefined || engineState.value === 'dead') return;
    const text = checkedText.value;
    // Read here, so that their coming is heard.
    const known = sides.value;
    if (sidesOf.peek() !== text) {
      sidesOf.value = text;
      wanted = '';
      void learn(text);
      return;
    }
    if (known === undefined || known.points.length === 0) return;
    const key = JSON.stringify([text, seed.value, number.value, agent(), wish()]);
    if (key === wanted) return;
    wanted = key;
    void solve(AT_ONCE);
  });
}
