/** Phased dice as an environment: which class is hit, which unit falls, whether the attacker stays. */
import { type Feature, lead, type Rollout, type Side, type Weights } from '../system.ts';
import {
  type Army,
  armyOf,
  type CombatState,
  ENEMY,
  GROUND_CLASSES,
  NOBODY,
  type OpenDecision,
  PHASES,
  type PhasedForce,
  RETREAT,
  SIDES,
  STAGES,
  total,
  unitTypesOf,
} from './army.ts';
import { COURSE, EXTRA, FORCE, POINTS } from './layout.ts';
import type { PhasedDice } from './schema.ts';

const STAY = 'stay';

const classesOf = ({ mode }: PhasedDice) => (mode === 'ground' ? GROUND_CLASSES : []);
const lose = (type: string): string => `lose:${type}`;

function action(point: string, option: string | number): string {
  if (point === 'target') return `target:${String(option)}`;
  return point === 'losses' ? lose(String(option)) : String(option);
}

/** Types of either side, in the table's order. */
function typesOf(scenario: PhasedDice): string[] {
  const fielded = new Set(SIDES.flatMap((side) => armyOf(scenario, side).troops.map(({ name }) => name)));
  return [...unitTypesOf(scenario.unitTypes, scenario.airStrength).keys()].filter((name) => fielded.has(name));
}

function optionsOf(scenario: PhasedDice) {
  return { target: classesOf(scenario), losses: typesOf(scenario), retreat: [STAY, 'retreat'] };
}

/** Names of all actions, in their order. */
function actionsOf(scenario: PhasedDice): string[] {
  return Object.entries(optionsOf(scenario)).flatMap(([point, options]) => options.map((each) => action(point, each)));
}

/** As many hits as a side can ever have to place: all that the enemy rolls in one phase, and a reserve that fells nothing. */
function mostHits(army: Army, enemy: Army): number {
  const start = ({ troops }: Army): number[] => troops.map(({ count }) => count);
  const rolled = enemy.byPhase.map((troops) => total(troops, start(enemy), ({ dice }) => dice));
  const toughest = army.troops.map(({ count, hits }) => (count > 0 ? hits : 0));
  return Math.max(...rolled) + Math.max(...toughest) - 1;
}

function featuresOfSide(scenario: PhasedDice, side: Side): Feature[] {
  const army = armyOf(scenario, side);
  const hits = mostHits(army, armyOf(scenario, ENEMY[side]));
  const strength = army.ground.reduce((sum, { count, weight }) => sum + count * weight, 0);
  return [
    { name: `hits.${side}`, unit: 'hits', low: 0, high: hits },
    { name: `reserve.${side}`, unit: 'hits', low: 0, high: hits },
    { name: `strength.${side}`, unit: 'hits/6', low: 0, high: strength },
    ...classesOf(scenario).map((each) => ({ name: `named.${side}.${each}`, unit: '0/1', low: 0, high: 1 })),
    ...army.troops.map(({ name, count }) => ({ name: `left.${side}.${name}`, unit: 'units', low: 0, high: count })),
  ];
}

function featuresOf(scenario: PhasedDice): Feature[] {
  return [
    { name: 'round', unit: 'rounds', low: 0, high: scenario.maxRounds },
    { name: 'phase', unit: 'index', low: 0, high: PHASES[scenario.mode].length },
    ...SIDES.flatMap((side) => featuresOfSide(scenario, side)),
  ];
}

function observe(scenario: PhasedDice, state: CombatState, player: string | undefined): number[] {
  const { round, phase, pending } = state;
  /** While the defender names a class, that of the attacker is hidden. */
  const isHidden = pending?.point === 'target' && player === 'defender';
  const side = (of: Side): number[] => {
    const { counts, reserve } = state[of];
    const strength = total(armyOf(scenario, of).ground, counts, ({ weight }) => weight);
    const named = of === 'attacker' && isHidden ? undefined : pending?.named[of];
    const flags = classesOf(scenario).map((each) => Number(each === named));
    return [pending?.hits[of] ?? 0, reserve, strength, ...flags, ...counts];
  };
  const isPlaced = pending === undefined || pending.point === 'retreat';
  return [round, isPlaced ? 0 : 1 + phase, ...SIDES.flatMap(side)];
}

/** The action of staying, then for each troop of both sides that of losing a unit of it. */
function encode(scenario: PhasedDice): number[] {
  const actions = actionsOf(scenario);
  const losses = SIDES.flatMap((side) => armyOf(scenario, side).troops.map(({ name }) => actions.indexOf(lose(name))));
  return [...EXTRA.pack({ stay: actions.indexOf(STAY) }), ...losses];
}

function decode(scenario: PhasedDice, words: Int32Array): CombatState {
  const { round, phase, stage, hits, named, further } = COURSE.read(words);
  const [attackers, defenders] = [armyOf(scenario, 'attacker'), armyOf(scenario, 'defender')];
  const force = ({ troops }: Army, at: number): PhasedForce => ({
    counts: [...words.subarray(at + FORCE.size, at + FORCE.size + troops.length)],
    reserve: FORCE.read(words, at).reserve,
  });
  const second = COURSE.size + FORCE.size + attackers.troops.length + attackers.pools.flat().length;
  const forces = { attacker: force(attackers, COURSE.size), defender: force(defenders, second) };
  const pending = (): OpenDecision => {
    const due = stage > 0 ? STAGES[stage - 1] : undefined;
    if (due === undefined) return RETREAT;
    const bySide = <T>([attacker = 0, defender = 0]: readonly number[], of: (value: number) => T) => ({
      attacker: of(attacker),
      defender: of(defender),
    });
    const fallen = due.point === 'losses' ? forces[due.side].counts.map(() => 0) : [];
    return {
      ...due,
      hits: bySide(hits, (each) => each),
      named: phase > 0 ? bySide(named, (each) => GROUND_CLASSES[each - 1]) : NOBODY,
      further: further === 1,
      fallen,
    };
  };
  return { round, phase, dealt: null, ...forces, withdrawn: false, pending: pending() };
}

function unitsLead(scenario: PhasedDice, player: string): Weights {
  const units = (side: Side): number => armyOf(scenario, side).troops.reduce((sum, { count }) => sum + count, 0);
  const [own, enemy] = player === 'attacker' ? SIDES : ([SIDES[1], SIDES[0]] as const);
  return lead([`left.${own}`, units(own)], [`left.${enemy}`, units(enemy)]);
}

export const rollout = (scenario: PhasedDice): Rollout<CombatState> => ({
  points: POINTS,
  players: SIDES,
  actions: optionsOf(scenario),
  action,
  features: featuresOf(scenario),
  observe: (state, player) => observe(scenario, state, player),
  kernel: { encode: () => encode(scenario), decode: (words) => decode(scenario, words) },
  rewards: { material: (player) => unitsLead(scenario, player) },
});
