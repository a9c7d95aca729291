/** Checks what a system declares for agents, at the decisions that its battles come to. */

import {
  configurationOf,
  contestOf,
  type EnvironmentSpec,
  gameOf,
  secretOf,
  specOf,
  tableOf,
  valuesOf,
} from '../agents/index.ts';
import { BudgetError, InputError, Sampled, Stream } from '../core/index.ts';
import { type State, shown, watch } from '../rules/index.ts';
import { absent, type Check, type CheckedScenario, type CheckFound, told, unchecked } from './finding.ts';

const NO_ENVIRONMENT = 'the system has no "rollout", so it is no environment';

const BATTLES = 10;
const STEPS = 2000;

/** The door of the reference model; at every decision it looks at what an agent would see. */
class Looking extends Sampled {
  found: CheckFound | undefined;
  state: State | undefined;
  readonly #spec: EnvironmentSpec;

  constructor(stream: Stream, spec: EnvironmentSpec) {
    super(stream);
    this.#spec = spec;
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length > 1) this.found ??= this.#look(point, player, options);
    return policy();
  }

  #look(point: string, player: string, options: readonly (string | number)[]): CheckFound | undefined {
    const { points, players, actions } = this.#spec;
    const advice = 'Agents of an environment could not see or do it. Mend "rollout" or the rules.';
    if (!points.includes(point))
      return { message: `the decision "${point}" is none of its points ${shown(points)}`, advice };
    if (!players.includes(player))
      return { message: `${shown(player)} is none of its players ${shown(players)}`, advice };
    const strange = options.find((option) => !actions.includes(this.#spec.action(point, option)));
    if (strange !== undefined)
      return { message: `the option ${shown(strange)} of "${point}" is none of its actions ${shown(actions)}`, advice };
    if (this.state === undefined) return undefined;
    try {
      this.#spec.observe(this.state, player);
      return undefined;
    } catch (error) {
      return { message: error instanceof InputError ? error.message : told(error), advice };
    }
  }
}

function lookAt({ open, seed }: CheckedScenario): readonly CheckFound[] {
  const { model, scenario } = open;
  const spec = specOf(scenario);
  // A step of several turns is taken turn by turn: agents see the state before each.
  const turn = model.turn?.bind(model);
  const turns = turn === undefined ? model : { ...model, step: turn };
  for (let battle = 0; battle < BATTLES; battle++) {
    const door = new Looking(Stream.of(seed, battle), spec);
    watch(turns, door, STEPS, (state, act) => {
      door.state = state;
      return act();
    });
    if (door.found !== undefined) return [{ ...door.found, battle }];
  }
  return [];
}

export const environments: Check = {
  id: 'rollout',
  title: 'environments show what they declare',
  run(subject) {
    if (subject.open.system.rollout === undefined) return [absent(NO_ENVIRONMENT)];
    try {
      return lookAt(subject);
    } catch (error) {
      return [{ message: told(error), advice: 'The declarations of "rollout" failed for this scenario.' }];
    }
  },
};

// Checks that `optimal` knows no more than agents can: that states which it tells apart can be seen apart.

function lookForSecrets({ open, effort }: CheckedScenario, player: string): CheckFound[] {
  const [variant] = configurationOf([{ scenario: open.scenario }], { agents: [player] }).variants;
  if (variant === undefined) return [];
  const contest = contestOf(variant, player, variant.spec.points);
  const game = gameOf(contest, effort.ways);
  const values = valuesOf(game, tableOf(game), contest.model.maxRounds, effort.ways);
  const secret = secretOf(contest, { game, values }, player, effort.ways);
  return secret === undefined ? [] : [secret];
}

export const secrets: Check = {
  id: 'secrets',
  title: 'best play uses nothing that agents cannot see',
  run(subject) {
    const { system, scenario } = subject.open;
    if (system.rollout === undefined) return [absent(NO_ENVIRONMENT)];
    if (system.decisions.length === 0) return [absent('nobody decides anything')];
    try {
      return system
        .rollout(scenario)
        .players.flatMap((player) => lookForSecrets(subject, player))
        .slice(0, 1);
    } catch (error) {
      if (error instanceof BudgetError) return [unchecked('too many states for best play')];
      if (error instanceof InputError) return [unchecked(error.message)];
      throw error;
    }
  },
};
