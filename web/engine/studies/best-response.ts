/** The best that a player can do, beside a battle that is told. */

import { BudgetError } from '../../../src/core/index.ts';
import {
  createBestResponse,
  createScenarioSpec,
  evaluateDecisions,
  type OptionValue,
  type Reward,
  type ScenarioSolution,
  solveScenarioGame,
} from '../../../src/environments/index.ts';
import {
  createBestResponseSheet,
  createReplayLines,
  formatCommandLine,
  getSides,
  PLAIN_PAINT,
} from '../../../src/report/index.ts';
import { getBoundScenario, type Scenario, type State } from '../../../src/rules/index.ts';
import { parseScenarioText } from '../editing/check.ts';
import { createSheetParts, type SheetPart } from '../output/sheet.ts';
import { createScenarioOptions } from '../registry/registry.ts';
import { type BattleSelection, type BattleTrace, traceBattle } from './battle.ts';

/** What can be asked of a scenario. */
export interface BestResponseChoices {
  /** Players by name. */
  readonly players: readonly string[];
  /** Decision points; none in a system whose players decide nothing. */
  readonly points: readonly string[];
  /** What a player may want: `chance` (to win), `win`, and what the system has. */
  readonly rewards: readonly string[];
}

/** What is asked. */
export interface BestResponseRequest {
  readonly agent: string;
  readonly wish: string;
  /** Steps, 1..16 000 000. */
  readonly budget: number;
}

/** A decision of the player in the battle that is told. */
export interface DecisionAdvice {
  /** The step of the story that it belongs to, from 0. */
  readonly step: number;
  /** The sentence of that step. */
  readonly text: string;
  readonly round: number;
  readonly point: string;
  /** The action that was taken. */
  readonly chosen: string;
  /** By how much the best is worth more than what was taken. */
  readonly loss: number;
  /** Undefined where the player cannot know in which of several positions it is, and neither can we. */
  readonly payoffs: readonly OptionValue[] | undefined;
}

export interface BestResponseAnswer {
  readonly kind: 'optimal';
  /** Whether worths are probabilities to win. */
  readonly isProbability: boolean;
  readonly best: number;
  readonly given: number;
  /** By how much either can be wrong. */
  readonly error: number;
  readonly decisions: number;
  readonly sheet: readonly SheetPart[];
  readonly advice: readonly DecisionAdvice[];
  /** Nothing where the command line has no name for what is wanted. */
  readonly command: string | undefined;
}

/** Why nothing is told: it would take more than is affordable. */
export interface UnaffordableBestResponse {
  readonly kind: 'too-large';
  readonly message: string;
  /** Steps that may be enough. */
  readonly suggested: number | undefined;
}

/** What a player may want that has a name here alone: the probability to win. */
const WIN_PROBABILITY = 'chance';

const createLine = (text: string): SheetPart => ({ kind: 'line', text });

/** What was solved last, for other battles of the same question. */
let solvedRequest:
  | { readonly key: string; readonly solved: ScenarioSolution; readonly sheet: readonly SheetPart[] }
  | undefined;

/** @throws InputError if the system declares nothing to agents */
function findReward(scenario: Scenario, { agent, wish }: BestResponseRequest): Reward {
  if (wish !== WIN_PROBABILITY) return wish;
  const { payoff } = createScenarioSpec(scenario);
  const { outcomes } = getBoundScenario(scenario).model;
  return { [agent]: { outcomes: Object.fromEntries(outcomes.map((name) => [name, payoff(name, agent) > 0 ? 1 : 0])) } };
}

/** The last that was solved, or another. @throws BudgetError if it is too large */
function solveRequest(text: string, scenario: Scenario, aim: BestResponseRequest): NonNullable<typeof solvedRequest> {
  const key = JSON.stringify([text, aim.agent, aim.wish]);
  if (solvedRequest?.key === key) return solvedRequest;
  // Two would not fit into memory.
  solvedRequest = undefined;
  const began = performance.now();
  const result = solveScenarioGame(scenario, {
    agent: aim.agent,
    reward: findReward(scenario, aim),
    budget: aim.budget,
  });
  const [, ...blocks] = createBestResponseSheet(createBestResponse(result, began), scenario.name ?? '');
  const sheet = blocks.flatMap((block) => [...createSheetParts(block, getSides(scenario)), createLine('')]);
  solvedRequest = { key, solved: result, sheet };
  return solvedRequest;
}

interface RecordedDecision {
  readonly state: State;
  readonly choice: string | number;
  readonly point: string;
  /** How many events there are up to it. */
  readonly events: number;
}

/** What the player decided in a battle. */
function listDecisions({ events, stops }: BattleTrace, { agent, decisions }: ScenarioSolution): RecordedDecision[] {
  return stops.flatMap(({ state, events: from }, s) => {
    const to = stops[s + 1]?.events ?? events.length;
    return events.slice(from, to).flatMap((event, e) => {
      if (event.kind !== 'decide' || event.player !== agent || event.options.length < 2) return [];
      const { point, choice } = event;
      return decisions.includes(point) ? [{ state, choice, point, events: from + e + 1 }] : [];
    });
  });
}

function createAdvice(scenario: Scenario, result: ScenarioSolution, which: BattleSelection): DecisionAdvice[] {
  const walk = traceBattle(scenario, which.seed, which.battle);
  const passages = createReplayLines(walk.events, getBoundScenario(scenario).system, PLAIN_PAINT);
  const asked = listDecisions(walk, result);
  const all = evaluateDecisions(result, asked);
  return asked.map(({ state, choice, point, events }, a): DecisionAdvice => {
    const worths = all[a];
    const step = passages.findIndex((passage) => passage.events >= events);
    const mine = worths?.find(({ option }) => option === choice)?.best ?? 0;
    const most = Math.max(...(worths?.map(({ best }) => best) ?? [0]));
    return {
      ...{ step, point, payoffs: worths },
      text: passages[step]?.text ?? '',
      round: state.round,
      chosen: result.variant.spec.actionName(point, choice),
      loss: worths === undefined || worths.some(({ option, isBest }) => isBest && option === choice) ? 0 : most - mine,
    };
  });
}

function createBestResponseAnswer(
  scenario: Scenario,
  which: BattleSelection,
  aim: BestResponseRequest,
): BestResponseAnswer {
  const { solved: result, sheet } = solveRequest(which.text, scenario, aim);
  const { values, game } = result;
  const named = ['--agent', aim.agent, '--reward', aim.wish];
  return {
    kind: 'optimal',
    isProbability: aim.wish === WIN_PROBABILITY,
    best: values.best,
    given: values.policyValue,
    error: values.error,
    decisions: game.questions.size,
    sheet,
    advice: createAdvice(scenario, result, which),
    command:
      aim.wish === WIN_PROBABILITY
        ? undefined
        : formatCommandLine('best-response', createScenarioOptions(which.file), ...named),
  };
}

export const optimal = {
  /** Who plays, and what can be wanted. @throws InputError if the system declares nothing to agents */
  listBestResponseChoices(text: string): BestResponseChoices {
    const { players, points, pace, rewards } = createScenarioSpec(parseScenarioText(text));
    const decided = points.filter((point) => point !== pace);
    return { players, points: decided, rewards: [WIN_PROBABILITY, 'win', ...Object.keys(rewards)] };
  },

  /**
   * What the battle and each decision in it is worth by the best play.
   * @throws InputError for what cannot be solved so, such as a reward that no state of the battle has
   */
  findBestResponse(which: BattleSelection, aim: BestResponseRequest): BestResponseAnswer | UnaffordableBestResponse {
    try {
      return createBestResponseAnswer(parseScenarioText(which.text), which, aim);
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return { kind: 'too-large', message: error.message, suggested: error.suggested };
    }
  },
};
