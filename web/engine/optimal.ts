/** The best that a player can do, beside a battle that is told. */

import {
  optimumOf,
  type Reward,
  type SolvedGame,
  solved,
  specOf,
  type Worth,
  worthsBeside,
} from '../../src/agents/index.ts';
import { BudgetError } from '../../src/core/index.ts';
import { opened, type Scenario, type State } from '../../src/rules/index.ts';
import { commandLine, optimalSheet, PLAIN, passagesOf, sidesOf } from '../../src/tell/index.ts';
import { type Walk, type Which, walked } from './battle.ts';
import { scenarioOf } from './check.ts';
import { given } from './registry.ts';
import { partsOf, type SheetPart } from './sheet.ts';

/** What can be asked of a scenario. */
export interface Sides {
  /** Players by name. */
  readonly players: readonly string[];
  /** Decision points; none in a system whose players decide nothing. */
  readonly points: readonly string[];
  /** What a player may want: `chance` (to win), `win`, and what the system has. */
  readonly wishes: readonly string[];
}

/** What is asked. */
export interface Aim {
  readonly agent: string;
  readonly wish: string;
  /** Steps, 1..16 000 000. */
  readonly budget: number;
}

/** A decision of the player in the battle that is told. */
export interface Advice {
  /** The step of the story that it belongs to, from 0. */
  readonly step: number;
  /** The sentence of that step. */
  readonly text: string;
  readonly round: number;
  readonly point: string;
  /** The action that was taken. */
  readonly taken: string;
  /** By how much the best is worth more than what was taken. */
  readonly loss: number;
  /** Undefined where the player cannot know in which of several positions it is, and neither can we. */
  readonly worths: readonly Worth[] | undefined;
}

export interface OptimalAnswer {
  readonly kind: 'optimal';
  /** Whether worths are probabilities to win. */
  readonly chance: boolean;
  readonly best: number;
  readonly given: number;
  /** By how much either can be wrong. */
  readonly error: number;
  readonly decisions: number;
  readonly sheet: readonly SheetPart[];
  readonly advice: readonly Advice[];
  /** Nothing where the command line has no name for what is wanted. */
  readonly command: string | undefined;
}

/** Why nothing is told: it would take more than is affordable. */
export interface Unaffordable {
  readonly kind: 'too-large';
  readonly message: string;
  /** Steps that may be enough. */
  readonly suggested: number | undefined;
}

/** What a player may want that has a name here alone: the probability to win. */
const CHANCE = 'chance';

const lineOf = (text: string): SheetPart => ({ kind: 'line', text });

/** What was solved last, for other battles of the same question. */
let known: { readonly key: string; readonly solved: SolvedGame; readonly sheet: readonly SheetPart[] } | undefined;

/** @throws InputError if the system declares nothing to agents */
function rewardOf(scenario: Scenario, { agent, wish }: Aim): Reward {
  if (wish !== CHANCE) return wish;
  const { worth } = specOf(scenario);
  const { outcomes } = opened(scenario).model;
  return { [agent]: { outcomes: Object.fromEntries(outcomes.map((name) => [name, worth(name, agent) > 0 ? 1 : 0])) } };
}

/** The last that was solved, or another. @throws BudgetError if it is too large */
function solvedFor(text: string, scenario: Scenario, aim: Aim): NonNullable<typeof known> {
  const key = JSON.stringify([text, aim.agent, aim.wish]);
  if (known?.key === key) return known;
  // Two would not fit into memory.
  known = undefined;
  const began = performance.now();
  const result = solved(scenario, { agent: aim.agent, reward: rewardOf(scenario, aim), budget: aim.budget });
  const [, ...blocks] = optimalSheet(optimumOf(result, began), scenario.name ?? '');
  const sheet = blocks.flatMap((block) => [...partsOf(block, sidesOf(scenario)), lineOf('')]);
  known = { key, solved: result, sheet };
  return known;
}

interface Asked {
  readonly state: State;
  readonly choice: string | number;
  readonly point: string;
  /** How many events there are up to it. */
  readonly events: number;
}

/** What the player decided in a battle. */
function askedIn({ events, stops }: Walk, { agent, points }: SolvedGame): Asked[] {
  return stops.flatMap(({ state, events: from }, s) => {
    const to = stops[s + 1]?.events ?? events.length;
    return events.slice(from, to).flatMap((event, e) => {
      if (event.kind !== 'decide' || event.player !== agent || event.options.length < 2) return [];
      const { point, choice } = event;
      return points.includes(point) ? [{ state, choice, point, events: from + e + 1 }] : [];
    });
  });
}

function adviceOf(scenario: Scenario, result: SolvedGame, which: Which): Advice[] {
  const walk = walked(scenario, which.seed, which.battle);
  const passages = passagesOf(walk.events, opened(scenario).system, PLAIN);
  const asked = askedIn(walk, result);
  const all = worthsBeside(result, asked);
  return asked.map(({ state, choice, point, events }, a): Advice => {
    const worths = all[a];
    const step = passages.findIndex((passage) => passage.events >= events);
    const mine = worths?.find(({ option }) => option === choice)?.best ?? 0;
    const most = Math.max(...(worths?.map(({ best }) => best) ?? [0]));
    return {
      ...{ step, point, worths },
      text: passages[step]?.text ?? '',
      round: state.round,
      taken: result.variant.spec.action(point, choice),
      loss: worths === undefined || worths.some(({ option, isBest }) => isBest && option === choice) ? 0 : most - mine,
    };
  });
}

function answerOf(scenario: Scenario, which: Which, aim: Aim): OptimalAnswer {
  const { solved: result, sheet } = solvedFor(which.text, scenario, aim);
  const { values, game } = result;
  const named = ['--agent', aim.agent, '--reward', aim.wish];
  return {
    kind: 'optimal',
    chance: aim.wish === CHANCE,
    best: values.best,
    given: values.given,
    error: values.error,
    decisions: game.questions.size,
    sheet,
    advice: adviceOf(scenario, result, which),
    command: aim.wish === CHANCE ? undefined : commandLine('optimal', given(which.file), ...named),
  };
}

export const optimal = {
  /** Who plays, and what can be wanted. @throws InputError if the system declares nothing to agents */
  sides(text: string): Sides {
    const { players, points, pace, rewards } = specOf(scenarioOf(text));
    const decided = points.filter((point) => point !== pace);
    return { players, points: decided, wishes: [CHANCE, 'win', ...Object.keys(rewards)] };
  },

  /**
   * What the battle and each decision in it is worth by the best play.
   * @throws InputError for what cannot be solved so, such as a reward that no state of the battle has
   */
  optimal(which: Which, aim: Aim): OptimalAnswer | Unaffordable {
    try {
      return answerOf(scenarioOf(which.text), which, aim);
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return { kind: 'too-large', message: error.message, suggested: error.suggested };
    }
  },
};
