/** Best response of a player, with the values of decisions in a replay. */

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

/** Options of a scenario. */
export interface BestResponseChoices {
  /** Names of players. */
  readonly players: readonly string[];
  /** Decision points; empty if players make no decisions. */
  readonly points: readonly string[];
  /** Rewards: `chance` (win probability), `win`, and rewards of the system. */
  readonly rewards: readonly string[];
}

/** Request of a best response. */
export interface BestResponseRequest {
  readonly agent: string;
  readonly reward: string;
  /** Budget in steps, 1..16 000 000. */
  readonly budget: number;
}

/** Decision of the player in the replayed battle. */
export interface DecisionAdvice {
  /** Index of its step in the replay, from 0. */
  readonly step: number;
  /** Sentence of that step. */
  readonly text: string;
  readonly round: number;
  readonly point: string;
  /** Action that was taken. */
  readonly chosen: string;
  /** Value of the best action minus value of the action taken. */
  readonly loss: number;
  /** Values of the options; undefined if the player cannot distinguish several states. */
  readonly payoffs: readonly OptionValue[] | undefined;
}

export interface BestResponseAnswer {
  readonly kind: 'optimal';
  /** True if values are win probabilities. */
  readonly isProbability: boolean;
  readonly best: number;
  readonly given: number;
  /** Error bound of both values. */
  readonly error: number;
  readonly decisions: number;
  readonly sheet: readonly SheetPart[];
  readonly advice: readonly DecisionAdvice[];
  /** Undefined if the command line has no name for the reward. */
  readonly command: string | undefined;
}

/** Reason why there is no result: it would exceed the budget. */
export interface UnaffordableBestResponse {
  readonly kind: 'too-large';
  readonly message: string;
  /** Suggested budget in steps. */
  readonly suggested: number | undefined;
}

/** Name of the win probability, which only the page uses. */
const WIN_PROBABILITY = 'chance';

const createLine = (text: string): SheetPart => ({ kind: 'line', text });

/** Last solution, reused for other battles of the same request. */
let solvedRequest:
  | { readonly key: string; readonly solved: ScenarioSolution; readonly sheet: readonly SheetPart[] }
  | undefined;

/** Returns the reward of a request. @throws InputError if the system declares nothing to agents */
function findReward(scenario: Scenario, { agent, reward: target }: BestResponseRequest): Reward {
  if (target !== WIN_PROBABILITY) return target;
  const { payoff } = createScenarioSpec(scenario);
  const { outcomes } = getBoundScenario(scenario).model;
  return { [agent]: { outcomes: Object.fromEntries(outcomes.map((name) => [name, payoff(name, agent) > 0 ? 1 : 0])) } };
}

/** Returns the solution of a request, cached if possible. @throws BudgetError if it is too large */
function solveRequest(text: string, scenario: Scenario, aim: BestResponseRequest): NonNullable<typeof solvedRequest> {
  const key = JSON.stringify([text, aim.agent, aim.reward]);
  if (solvedRequest?.key === key) return solvedRequest;
  // Two solutions may not fit into memory.
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
  /** Number of events up to the decision. */
  readonly events: number;
}

/** Lists the decisions of the player in a battle. */
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
  const requested = listDecisions(walk, result);
  const all = evaluateDecisions(result, requested);
  return requested.map(({ state, choice, point, events }, a): DecisionAdvice => {
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
  const named = ['--agent', aim.agent, '--reward', aim.reward];
  return {
    kind: 'optimal',
    isProbability: aim.reward === WIN_PROBABILITY,
    best: values.best,
    given: values.policyValue,
    error: values.error,
    decisions: game.questions.size,
    sheet,
    advice: createAdvice(scenario, result, which),
    command:
      aim.reward === WIN_PROBABILITY
        ? undefined
        : formatCommandLine('best-response', createScenarioOptions(which.file), ...named),
  };
}

export const optimal = {
  /** Lists players, decision points and rewards. @throws InputError if the system declares nothing to agents */
  listBestResponseChoices(text: string): BestResponseChoices {
    const { players, points, pace, rewards } = createScenarioSpec(parseScenarioText(text));
    const decided = points.filter((point) => point !== pace);
    return { players, points: decided, rewards: [WIN_PROBABILITY, 'win', ...Object.keys(rewards)] };
  },

  /**
   * Computes the best response, and the value of each decision in a battle.
   * @throws InputError for unsupported requests, such as a reward that no state of the battle has
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
