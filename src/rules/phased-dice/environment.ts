/** Phased dice as an environment: the class that is hit, the unit that falls, the retreat of the attacker. */
import { createLeadWeights, type EnvironmentDefinition, type Feature, type Side, type Weights } from '../system.ts';
import {
  type CombatState,
  createUnitTypes,
  ENEMY,
  GROUND_CLASSES,
  getArmy,
  NOBODY,
  PHASES,
  type PhasedArmy,
  type PhasedDecision,
  type PhasedForce,
  RETREAT,
  SIDES,
  STAGES,
  sumFigures,
} from './army.ts';
import { COURSE, EXTRA, FORCE, POINTS } from './layout.ts';
import type { PhasedDice } from './schema.ts';

const STAY = 'stay';

const listClasses = ({ mode }: PhasedDice) => (mode === 'ground' ? GROUND_CLASSES : []);
const formatLoss = (type: string): string => `lose:${type}`;

function formatAction(point: string, option: string | number): string {
  if (point === 'target') return `target:${String(option)}`;
  return point === 'losses' ? formatLoss(String(option)) : String(option);
}

/** Lists the types of either side, in the order of the table. */
function listTypes(scenario: PhasedDice): string[] {
  const fielded = new Set(SIDES.flatMap((side) => getArmy(scenario, side).troops.map(({ name }) => name)));
  return [...createUnitTypes(scenario.unitTypes, scenario.airStrength).keys()].filter((name) => fielded.has(name));
}

function listOptions(scenario: PhasedDice) {
  return { target: listClasses(scenario), losses: listTypes(scenario), retreat: [STAY, 'retreat'] };
}

/** Lists the names of all actions, in order. */
function listActions(scenario: PhasedDice): string[] {
  return Object.entries(listOptions(scenario)).flatMap(([point, options]) =>
    options.map((each) => formatAction(point, each)),
  );
}

/**
 * Computes the maximum number of hits that a side has to place: all dice of the enemy in one phase, and a reserve that
 * destroys nothing.
 */
function computeMaxHits(army: PhasedArmy, enemy: PhasedArmy): number {
  const start = ({ troops }: PhasedArmy): number[] => troops.map(({ count }) => count);
  const rolled = enemy.byPhase.map((troops) => sumFigures(troops, start(enemy), ({ dice }) => dice));
  const toughest = army.troops.map(({ count, hits }) => (count > 0 ? hits : 0));
  return Math.max(...rolled) + Math.max(...toughest) - 1;
}

function listSideFeatures(scenario: PhasedDice, side: Side): Feature[] {
  const army = getArmy(scenario, side);
  const hits = computeMaxHits(army, getArmy(scenario, ENEMY[side]));
  const strength = army.ground.reduce((sum, { count, weight }) => sum + count * weight, 0);
  return [
    { name: `hits.${side}`, unit: 'hits', low: 0, high: hits },
    { name: `reserve.${side}`, unit: 'hits', low: 0, high: hits },
    { name: `strength.${side}`, unit: 'hits/6', low: 0, high: strength },
    ...listClasses(scenario).map((each) => ({ name: `named.${side}.${each}`, unit: '0/1', low: 0, high: 1 })),
    ...army.troops.map(({ name, count }) => ({ name: `left.${side}.${name}`, unit: 'units', low: 0, high: count })),
  ];
}

function listFeatures(scenario: PhasedDice): Feature[] {
  return [
    { name: 'round', unit: 'rounds', low: 0, high: scenario.maxRounds },
    { name: 'phase', unit: 'index', low: 0, high: PHASES[scenario.mode].length },
    ...SIDES.flatMap((side) => listSideFeatures(scenario, side)),
  ];
}

function observe(scenario: PhasedDice, state: CombatState, player: string | undefined): number[] {
  const { round, phase, pending } = state;
  /** While the defender names a class, the one of the attacker is hidden. */
  const isHidden = pending?.point === 'target' && player === 'defender';
  const encodeSide = (of: Side): number[] => {
    const { counts, reserve } = state[of];
    const strength = sumFigures(getArmy(scenario, of).ground, counts, ({ weight }) => weight);
    const named = of === 'attacker' && isHidden ? undefined : pending?.named[of];
    const flags = listClasses(scenario).map((each) => Number(each === named));
    return [pending?.hits[of] ?? 0, reserve, strength, ...flags, ...counts];
  };
  const isPlaced = pending === undefined || pending.point === 'retreat';
  return [round, isPlaced ? 0 : 1 + phase, ...SIDES.flatMap(encodeSide)];
}

/** Encodes the action of staying, then the actions of losses for each troop of both sides. */
function encode(scenario: PhasedDice): number[] {
  const actions = listActions(scenario);
  const losses = SIDES.flatMap((side) =>
    getArmy(scenario, side).troops.map(({ name }) => actions.indexOf(formatLoss(name))),
  );
  return [...EXTRA.pack({ stay: actions.indexOf(STAY) }), ...losses];
}

function decode(scenario: PhasedDice, words: Int32Array): CombatState {
  const { round, phase, stage, hits, named, further } = COURSE.read(words);
  const [attackers, defenders] = [getArmy(scenario, 'attacker'), getArmy(scenario, 'defender')];
  const force = ({ troops }: PhasedArmy, at: number): PhasedForce => ({
    counts: [...words.subarray(at + FORCE.size, at + FORCE.size + troops.length)],
    reserve: FORCE.read(words, at).reserve,
  });
  const second = COURSE.size + FORCE.size + attackers.troops.length + attackers.pools.flat().length;
  const forces = { attacker: force(attackers, COURSE.size), defender: force(defenders, second) };
  const getPending = (): PhasedDecision => {
    const due = stage > 0 ? STAGES[stage - 1] : undefined;
    if (due === undefined) return RETREAT;
    const listBySide = <T>([attacker = 0, defender = 0]: readonly number[], of: (value: number) => T) => ({
      attacker: of(attacker),
      defender: of(defender),
    });
    const fallen = due.point === 'losses' ? forces[due.side].counts.map(() => 0) : [];
    return {
      ...due,
      hits: listBySide(hits, (each) => each),
      named: phase > 0 ? listBySide(named, (each) => GROUND_CLASSES[each - 1]) : NOBODY,
      further: further === 1,
      fallen,
    };
  };
  return { round, phase, dealt: null, ...forces, withdrawn: false, pending: getPending() };
}

function createUnitWeights(scenario: PhasedDice, player: string): Weights {
  const countUnits = (side: Side): number => getArmy(scenario, side).troops.reduce((sum, { count }) => sum + count, 0);
  const [own, enemy] = player === 'attacker' ? SIDES : ([SIDES[1], SIDES[0]] as const);
  return createLeadWeights([`left.${own}`, countUnits(own)], [`left.${enemy}`, countUnits(enemy)]);
}

export const createEnvironment = (scenario: PhasedDice): EnvironmentDefinition<CombatState> => ({
  decisionPoints: POINTS,
  players: SIDES,
  actions: listOptions(scenario),
  action: formatAction,
  features: listFeatures(scenario),
  observe: (state, player) => observe(scenario, state, player),
  kernel: { encode: () => encode(scenario), decode: (words) => decode(scenario, words) },
  rewards: { material: (player) => createUnitWeights(scenario, player) },
});
