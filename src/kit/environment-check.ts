/** Checks what a system declares for agents, at the decisions that its battles come to. */

import { type EnvironmentSpec, specOf } from '../agents/spec.ts';
import { Sampled } from '../core/chance/sampled.ts';
import { Stream } from '../core/chance/stream.ts';
import { InputError } from '../core/errors.ts';
import { watch } from '../rules/battle.ts';
import { shown } from '../rules/own/states.ts';
import type { State } from '../rules/system.ts';
import type { Check, CheckedScenario, CheckFound } from './finding.ts';
import { told } from './telling.ts';

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
    if (subject.open.system.rollout === undefined) return [];
    try {
      return lookAt(subject);
    } catch (error) {
      return [{ message: told(error), advice: 'The declarations of "rollout" failed for this scenario.' }];
    }
  },
};
