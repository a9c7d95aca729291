/**
 * Payoffs of duels of attrition, solved together: duels with the same blows share the states of a table of hit points, and
 * a blow depends only on the difference of attack and defense.
 */
import { computeDuelValues } from '../../engines/index.ts';
import { type Duel, type DuelRules, type DuelScenario, type DuelUnit, getBoundScenario } from '../../rules/index.ts';
import type { Payoff } from './payoff.ts';
import type { PayoffSums } from './read-payoffs.ts';
import { ROSTER_AXES, type Roster } from './roster.ts';

/** Duels with the same blows. */
interface DuelGroup {
  readonly blows: Duel['blows'];
  /** Maximum hit points of attacker and defender. */
  readonly hp: [attacker: number, defender: number];
  /** Matchups and their hit points: three numbers each. */
  readonly matchups: number[];
}

/** Maximum work of a table, in additions: about a second. */
const WORK_MAX = 1e9;

/** Maximum states of a table: 128 MB. */
const STATES_MAX = 8e6;

/** Exponent of Chernoff's bound from which on the round limit changes no payoff in double precision. */
const CERTAIN_EXPONENT = 40;

/** True if a side has only fields of one path. */
function isOnSide({ sweep }: Roster, name: string): boolean {
  const paths = sweep.columns.find((column) => column.name === name)?.paths ?? [];
  return paths.every((path) => path === name || path.startsWith(`${name}.`));
}

/** Units of all armies on a terrain. */
interface DuelUnits {
  readonly scenario: DuelScenario;
  readonly attackers: readonly DuelUnit[];
  readonly defenders: readonly DuelUnit[];
}

/** Reads the units of all armies on a terrain; undefined if the matchups are no duels, or some are rejected. */
function readUnits(duels: DuelRules, roster: Roster, terrain: number): DuelUnits | undefined {
  const { sweep, attackers, defenders } = roster;
  const width = defenders.length;
  const first = terrain * attackers.length * width;
  const open = (point: number): DuelScenario | undefined => {
    const cell = sweep.cell(point);
    return cell && duels.getScenario(cell.scenario);
  };
  const scenario = open(first);
  const own = attackers.map((_, a) => open(first + a * width)?.attacker);
  const others = defenders.map((_, d) => open(first + d)?.defender);
  const isUnit = <T>(unit: T | undefined): unit is T => unit !== undefined;
  if (scenario === undefined || !own.every(isUnit) || !others.every(isUnit)) return undefined;
  const names = new Set(own.map(({ name }) => name));
  return others.some(({ name }) => names.has(name)) ? undefined : { scenario, attackers: own, defenders: others };
}

/** Groups the duels of a terrain by their blows. */
function groupDuels(duels: DuelRules, { scenario, attackers, defenders }: DuelUnits): DuelGroup[] {
  const groups = new Map<string, DuelGroup>();
  for (const [a, attacker] of attackers.entries()) {
    for (const [d, defender] of defenders.entries()) {
      const { blows, hp } = duels.create(scenario, attacker, defender);
      const key = `${blows[0].key} ${blows[1].key}`;
      let group = groups.get(key);
      if (group === undefined) {
        group = { blows, hp: [0, 0], matchups: [] };
        groups.set(key, group);
      }
      group.hp[0] = Math.max(group.hp[0], hp[0]);
      group.hp[1] = Math.max(group.hp[1], hp[1]);
      group.matchups.push(a * defenders.length + d, hp[0], hp[1]);
    }
  }
  return [...groups.values()];
}

/** True if no duel of a group can do damage: all are stalemates. */
const isHarmless = (blows: Duel['blows']): boolean => blows.every(({ damage }) => damage[0] === 1);

/**
 * True if a table of the group fits into the limits, and its duels end before the round limit, up to rounding: each round
 * with any damage takes at least one hit point.
 */
function isSolvable(group: DuelGroup, rounds: number): boolean {
  const { blows, hp } = group;
  if (isHarmless(blows)) return true;
  const states = (hp[0] + 1) * (hp[1] + 1);
  const work = states * (blows[0].damage.length + blows[1].damage.length);
  const expected = rounds * (1 - (blows[0].damage[0] ?? 0) * (blows[1].damage[0] ?? 0));
  const needed = hp[0] + hp[1];
  const isOver = expected > needed && (expected - needed) ** 2 / (2 * expected) >= CERTAIN_EXPONENT;
  return states <= STATES_MAX && work <= WORK_MAX && isOver;
}

/** Returns the duels of a roster; undefined if its matchups are no duels, or their payoffs no sums of outcomes. */
function getDuels(roster: Roster): DuelRules | undefined {
  const { payoff, sweep } = roster;
  const { scenario, exact } = sweep.spec;
  const { isCustom, system } = getBoundScenario(scenario);
  const duels = isCustom ? undefined : system.duels;
  if (exact === 'never' || payoff.metrics.length > 0 || duels?.getScenario(scenario) === undefined) return undefined;
  return [ROSTER_AXES.attacker, ROSTER_AXES.defender].every((name) => isOnSide(roster, name)) ? duels : undefined;
}

/** Adds the payoffs of the duels of a group, whose first cell on the terrain is `first`. */
function addGroup(
  { blows, hp, matchups }: DuelGroup,
  { constant, factors }: Payoff,
  first: number,
  sums: PayoffSums,
): void {
  const payoffOf = (outcome: string): number => constant + (factors.get(outcome) ?? 0);
  const ends = { attacker: payoffOf('attacker'), defender: payoffOf('defender'), mutual: payoffOf('mutual') };
  const [forth, back] = blows;
  const values = isHarmless(blows) ? undefined : computeDuelValues(forth.damage, back.damage, hp, ends);
  for (let at = 0; at < matchups.length; at += 3) {
    const state = (matchups[at + 1] ?? 0) * (hp[1] + 1) + (matchups[at + 2] ?? 0);
    const value = values === undefined ? payoffOf('stalemate') : (values[state] ?? 0);
    sums.add(first + (matchups[at] ?? 0), { value, interval: [value, value] });
  }
}

/**
 * Adds the payoffs of a roster of duels.
 * @returns the cells that are not added, because a table would be too large or the round limit matters; undefined for other
 *   rosters, and for payoffs with metrics
 */
export function addDuels(roster: Roster, sums: PayoffSums): number[] | undefined {
  const duels = getDuels(roster);
  if (duels === undefined) return undefined;
  const { payoff, terrains, attackers, defenders } = roster;
  const left: number[] = [];
  for (const terrain of terrains.keys()) {
    const units = readUnits(duels, roster, terrain);
    if (units === undefined) return undefined;
    const first = terrain * attackers.length * defenders.length;
    for (const group of groupDuels(duels, units)) {
      if (isSolvable(group, units.scenario.maxRounds)) addGroup(group, payoff, first, sums);
      else for (let at = 0; at < group.matchups.length; at += 3) left.push(first + (group.matchups[at] ?? 0));
    }
  }
  return left.sort((a, b) => a - b);
}
