/** Checks the declarations of a system for agents, at the decisions of its battles. */

import { BudgetError, InputError, SampledChance, Stream } from '../core/index.ts';
import {
  buildGameGraph,
  computeGameValues,
  createEnvSpec,
  createGameDefinition,
  createGameTable,
  createScenarioSpec,
  findHiddenInformation,
} from '../environments/index.ts';
import { formatValue, type ScenarioSpec, type State, traceBattle } from '../rules/index.ts';
import {
  type CheckedScenario,
  type CheckMessage,
  type ConformanceCheck,
  createAbsence,
  createUnchecked,
  describeError,
} from './findings.ts';

const NO_ENVIRONMENT = 'the system has no "environment"';

const BATTLES = 10;
const STEPS = 2000;

/** Chance source of the reference model that checks the observation at every decision. */
class ObservationCheckingChance extends SampledChance {
  found: CheckMessage | undefined;
  state: State | undefined;
  readonly #spec: ScenarioSpec;

  constructor(stream: Stream, spec: ScenarioSpec) {
    super(stream);
    this.#spec = spec;
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length > 1) this.found ??= this.#look(point, player, options);
    return policy();
  }

  #look(point: string, player: string, options: readonly (string | number)[]): CheckMessage | undefined {
    const { points, players, actions } = this.#spec;
    const advice = 'Agents could not observe or choose it. Correct "environment" or the rules.';
    if (!points.includes(point))
      return { message: `the decision "${point}" is not among its points ${formatValue(points)}`, advice };
    if (!players.includes(player))
      return { message: `${formatValue(player)} is not among its players ${formatValue(players)}`, advice };
    const strange = options.find((option) => !actions.includes(this.#spec.actionName(point, option)));
    if (strange !== undefined)
      return {
        message: `the option ${formatValue(strange)} of "${point}" is not among its actions ${formatValue(actions)}`,
        advice,
      };
    if (this.state === undefined) return undefined;
    try {
      this.#spec.observe(this.state, player);
      return undefined;
    } catch (error) {
      return { message: error instanceof InputError ? error.message : describeError(error), advice };
    }
  }
}

function checkObservations({ open, seed }: CheckedScenario): readonly CheckMessage[] {
  const { model, scenario } = open;
  const spec = createScenarioSpec(scenario);
  // A step with several turns is split into turns: agents observe the state before each.
  const turn = model.turn?.bind(model);
  const turns = turn === undefined ? model : { ...model, step: turn };
  for (let battle = 0; battle < BATTLES; battle++) {
    const chance = new ObservationCheckingChance(Stream.forBattle(seed, battle), spec);
    traceBattle(turns, chance, STEPS, (state, act) => {
      chance.state = state;
      return act();
    });
    if (chance.found !== undefined) return [{ ...chance.found, battle }];
  }
  return [];
}

export const environmentCheck: ConformanceCheck = {
  id: 'environment',
  title: 'environments match their declarations',
  run(subject) {
    if (subject.open.system.environment === undefined) return [createAbsence(NO_ENVIRONMENT)];
    try {
      return checkObservations(subject);
    } catch (error) {
      return [{ message: describeError(error), advice: 'The declarations of "environment" failed for this scenario.' }];
    }
  },
};

// Checks that `findBestResponse` uses only what agents observe: states with different choices must look different.

function findSecrets({ open, effort }: CheckedScenario, player: string): CheckMessage[] {
  const [variant] = createEnvSpec([{ scenario: open.scenario }], { agents: [player] }).variants;
  if (variant === undefined) return [];
  const contest = createGameDefinition(variant, player, variant.spec.points);
  const game = buildGameGraph(contest, effort.ways);
  const values = computeGameValues(game, createGameTable(game), contest.model.maxRounds, effort.ways);
  const secret = findHiddenInformation(contest, { game, values }, player, effort.ways);
  return secret === undefined ? [] : [secret];
}

export const secretsCheck: ConformanceCheck = {
  id: 'secrets',
  title: 'optimal policies use only what agents can observe',
  run(subject) {
    const { system, scenario } = subject.open;
    if (system.environment === undefined) return [createAbsence(NO_ENVIRONMENT)];
    if (system.decisions.length === 0) return [createAbsence('the rules have no decisions')];
    try {
      return system
        .environment(scenario)
        .players.flatMap((player) => findSecrets(subject, player))
        .slice(0, 1);
    } catch (error) {
      if (error instanceof BudgetError) return [createUnchecked('too many states for an optimal policy')];
      if (error instanceof InputError) return [createUnchecked(error.message)];
      throw error;
    }
  },
};
