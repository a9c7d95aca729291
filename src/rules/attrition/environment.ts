/** Attrition as an environment: there are no decisions, and each round is a step. */
import { createLeadWeights, type EnvironmentDefinition, type Feature, type State, type Weights } from '../system.ts';
import { FIGHT as DUEL } from './layout.ts';
import { type DuelState, type ExchangeState, listParties, type MassState } from './model.ts';
import type { Attrition } from './schema.ts';

const SIDES = ['attacker', 'defender'];

function listPlayers(scenario: Attrition): readonly string[] {
  return scenario.mode === 'mass' ? listParties(scenario) : SIDES;
}

const createHpFeature = (name: string, high: number): Feature => ({ name: `hp.${name}`, unit: 'hp', low: 0, high });

function listFeatures(scenario: Attrition): Feature[] {
  const rounds = scenario.mode === 'indirect' ? 1 : scenario.maxRounds;
  const bodies =
    scenario.mode === 'mass'
      ? scenario.combatants.map((each) => createHpFeature(each.name, each.hp))
      : [createHpFeature('attacker', scenario.attacker.hp), createHpFeature('defender', scenario.defender.hp)];
  return [{ name: 'round', unit: 'rounds', low: 0, high: rounds }, ...bodies];
}

/** Creates weights of hit points, as shares of the initial ones of the own party and of all others. */
function createHpWeights(scenario: Attrition, player: string): Weights {
  if (scenario.mode !== 'mass') {
    const [own, enemy] = player === 'attacker' ? SIDES : SIDES.toReversed();
    const start = (side: string | undefined) => (side === 'attacker' ? scenario.attacker.hp : scenario.defender.hp);
    return createLeadWeights([`hp.${own ?? ''}`, start(own)], [`hp.${enemy ?? ''}`, start(enemy)]);
  }
  const start = (own: boolean): number =>
    scenario.combatants.reduce((sum, each) => ((each.party === player) === own ? sum + each.hp : sum), 0);
  const [mine, others] = [start(true), start(false)];
  return Object.fromEntries(
    scenario.combatants.map(({ name, party }) => [`hp.${name}`, party === player ? 1 / mine : -1 / others]),
  );
}

/** Creates weights of survivors; a single unit counts by its hit points. */
function createSurvivorWeights(scenario: Attrition, player: string): Weights {
  if (scenario.mode !== 'mass') return createHpWeights(scenario, player);
  const parties = listParties(scenario);
  const count = (own: boolean): number => scenario.combatants.filter(({ party }) => (party === player) === own).length;
  return Object.fromEntries(
    parties.map((party) => [`survivors.${party}`, party === player ? 1 / count(true) : -1 / count(false)]),
  );
}

function observe(scenario: Attrition, state: State): readonly number[] {
  if (scenario.mode === 'mass') return [state.round, ...(state as MassState).hp];
  const { attacker, defender } = state as DuelState | ExchangeState;
  return [state.round, attacker, defender];
}

/** Decodes a battle between two rounds: rounds, then hit points, which may be below 0 in the kernel. */
function decode(scenario: Attrition, words: Int32Array): State {
  if (scenario.mode !== 'mass') {
    const { rounds: round, attacker, defender } = DUEL.read(words);
    const left = { round, attacker: Math.max(0, attacker), defender: Math.max(0, defender) };
    const between: DuelState | ExchangeState =
      scenario.mode === 'direct' ? { ...left, struck: false } : { ...left, shots: 2 * round };
    return between;
  }
  const { combatants } = scenario;
  const [round = 0, ...rest] = words;
  const living: MassState = {
    round,
    hp: rest.slice(0, combatants.length),
    standing: combatants.map(() => true),
    defences: combatants.map(() => 0),
    next: 0,
  };
  return living;
}

export const createEnvironment = (scenario: Attrition): EnvironmentDefinition<State> => ({
  pace: 'fight',
  players: listPlayers(scenario),
  features: listFeatures(scenario),
  observe: (state) => observe(scenario, state),
  kernel: { encode: () => [], decode: (words) => decode(scenario, words) },
  rewards: {
    hp: (player) => createHpWeights(scenario, player),
    material: (player) => createSurvivorWeights(scenario, player),
  },
});
