/** The bag is filled: armies count a bonus each, then both sides put their cubes in. */
import type { Door } from '../../core/chance/door.ts';
import { PLAYERS, SIDES } from './army.ts';
import { discarded, withBonus } from './cubes.ts';
import { filled, type Plan } from './plan.ts';
import type { CubeBag } from './schema.ts';
import { type BagState, COLOUR, NEUTRAL } from './stages.ts';

/** The next army counts a bonus, or none. */
export function choose({ choices }: Plan, state: BagState, door: Door): BagState {
  const choice = choices[state.tries];
  if (choice === undefined) return { ...state, pending: undefined };
  const { side, options, policy } = choice;
  const names = options.map(({ name }) => name);
  const name = door.decide('bonus', side, names, () => policy.name);
  const counted = name === policy.name ? policy : (options.find((each) => each.name === name) ?? policy);
  for (const { rule, facts } of counted.story) door.rule(rule, () => facts);
  const tries = state.tries + 1;
  const next = choices[tries];
  const pending = next === undefined ? undefined : 'bonus';
  return { ...state, tries, bag: withBonus(state.bag, side, counted), army: next?.army ?? 0, pending };
}

/** Both sides discard what they must; the first stage is due. */
export function fill(scenario: CubeBag, planned: Plan, state: BagState, door: Door): BagState {
  const { bag } = state;
  for (const side of SIDES) {
    const { courage } = planned[side];
    door.rule('cubes', () => ({ side: PLAYERS[side], own: bag[COLOUR[side]], courage }));
  }
  if (bag[NEUTRAL] > 0) door.rule('cubes.neutral', () => ({ amount: bag[NEUTRAL] }));
  const gone = discarded(scenario, bag);
  if (gone > 0) door.rule('fabian', () => ({ amount: gone }));
  return { ...state, round: 1, stage: 0, tries: 0, bag: filled(scenario, bag) };
}
