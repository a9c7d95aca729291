/** Checks what a system declares for agents, at the decisions that its battles come to. */
import { Sampled } from '../chance/sampled.ts';
import { Stream } from '../chance/stream.ts';
import type { Opened } from '../systems/opened.ts';
import type { Feature } from '../systems/rollout.ts';
import type { State } from '../systems/system.ts';
import type { Check, Found, Subject } from './finding.ts';
import { shown, told } from './telling.ts';
import { watch } from './watched.ts';

const BATTLES = 10;
const STEPS = 2000;

/** What an environment of a scenario declares. */
interface Declared {
  readonly points: readonly string[];
  readonly players: readonly string[];
  readonly actions: readonly string[];
  readonly features: readonly Feature[];
}

type Rollout = NonNullable<Opened['system']['rollout']>;

/** What is wrong with an observation. */
function observed(features: readonly Feature[], seen: readonly number[]): string | undefined {
  if (seen.length !== features.length)
    return `an observation has ${String(seen.length)} numbers, but ${String(features.length)} features are declared`;
  const at = features.findIndex(({ low, high }, f) => {
    const value = seen[f] ?? Number.NaN;
    return !(value >= low && value <= high && Number.isInteger(value));
  });
  const feature = features[at];
  if (feature === undefined) return undefined;
  const { name, low, high } = feature;
  return `the feature "${name}" is declared as ${String(low)}..${String(high)}, but is ${String(seen[at])} at a decision`;
}

/** The door of the reference model; at every decision it looks at what an agent would see. */
class Looking extends Sampled {
  found: Found | undefined;
  state: State | undefined;
  readonly #rollout: Rollout;
  readonly #scenario: Opened['scenario'];
  readonly #declared: Declared;

  constructor(stream: Stream, rollout: Rollout, scenario: Opened['scenario'], declared: Declared) {
    super(stream);
    this.#rollout = rollout;
    this.#scenario = scenario;
    this.#declared = declared;
  }

  override decide<T extends string | number>(point: string, player: string, options: readonly T[], policy: () => T): T {
    if (options.length > 1) this.found ??= this.#look(point, player, options);
    return policy();
  }

  #look(point: string, player: string, options: readonly (string | number)[]): Found | undefined {
    const { points, players, actions, features } = this.#declared;
    const advice = 'Agents of an environment could not see or do it. Mend "rollout" or the rules.';
    if (!points.includes(point))
      return { message: `the decision "${point}" is none of its points ${shown(points)}`, advice };
    if (!players.includes(player))
      return { message: `${shown(player)} is none of its players ${shown(players)}`, advice };
    const strange = options.find((option) => !actions.includes(this.#rollout.action(point, option)));
    if (strange !== undefined)
      return { message: `the option ${shown(strange)} of "${point}" is none of its actions ${shown(actions)}`, advice };
    if (this.state === undefined) return undefined;
    const seen = this.#rollout.observe(this.#scenario, this.state, players.indexOf(player));
    const message = observed(features, seen);
    return message === undefined ? undefined : { message, advice };
  }
}

function lookAt({ open, seed }: Subject, rollout: Rollout): readonly Found[] {
  const { model, scenario } = open;
  const declared = {
    points: rollout.points,
    players: rollout.players(scenario),
    actions: rollout.actions(scenario),
    features: rollout.features(scenario),
  };
  // A step of several turns is taken turn by turn: agents see the state before each.
  const turn = model.turn?.bind(model);
  const turns = turn === undefined ? model : { ...model, step: turn };
  for (let battle = 0; battle < BATTLES; battle++) {
    const door = new Looking(Stream.of(seed, battle), rollout, scenario, declared);
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
    const { rollout } = subject.open.system;
    if (rollout === undefined) return [];
    try {
      return lookAt(subject, rollout);
    } catch (error) {
      return [{ message: told(error), advice: 'The declarations of "rollout" failed for this scenario.' }];
    }
  },
};
