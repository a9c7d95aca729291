/** Rosters: armies of two sides on one or several terrains. A roster is a sweep over terrains, attackers and defenders. */
import type { z } from 'zod';
import { BUDGET, EXACTNESS, type ExactMode, type ScenarioLoader } from '../../analysis/index.ts';
import { createConflictError, describeFound, InputError, MAX_BATTLES } from '../../core/index.ts';
import {
  checkBySchema,
  checkFileKind,
  collectInputErrors,
  type DocumentSource,
  formatPosition,
  getBoundScenario,
  getValueAt,
  type Price,
  readCosts,
  type Scenario,
  splitPath,
} from '../../rules/index.ts';
import {
  count,
  type OptionSpecs,
  pickOptions,
  type RequestedOptions,
  resolveOptions,
  seedOption,
  word,
} from '../../rules/option-spec.ts';
import { PRECISION } from '../../stats/index.ts';
import { openSweep, type Sweep, type SweepSpec } from '../sweep/sweep.ts';
import { checkArmies, checkTerrains, joinPaths, type Locate, SIDES } from './check-armies.ts';
import { type Payoff, parsePayoff } from './payoff.ts';
import { type Army, listAffordableArmies } from './price-list.ts';
import { type ArmiesFile, type RosterFile, rosterSchema } from './roster-file.ts';

type Side = keyof RosterFile['sides'];

/** Names of the axes of a roster's sweep. */
export const ROSTER_AXES = { terrain: 'terrain', attacker: 'attacker', defender: 'defender' } as const;

/** A terrain of a roster. */
export interface Terrain {
  readonly name: string;
  /** Share of its payoffs; all sum to 1. */
  readonly weight: number;
}

/** Armies of two sides, and the sweep over all matchups. */
export interface Roster {
  /** Label of the roster, or its file. */
  readonly name: string;
  /** Paths of the sides in the scenario. */
  readonly sides: Readonly<Record<Side, string>>;
  readonly attackers: readonly Army[];
  readonly defenders: readonly Army[];
  /** At least one; its name is empty if the roster has no terrains. */
  readonly terrains: readonly Terrain[];
  readonly payoff: Payoff;
  readonly sweep: Sweep;
  /** Sentences that `warpool assert` checks, with their places. */
  readonly expectations: readonly { readonly text: string; readonly place: string }[];
}

/** Scenarios of a roster file: its own, and those of terrains, by index. */
interface RosterScenarios {
  readonly base: Scenario;
  readonly terrains: readonly (Scenario | undefined)[];
}

/** Finds the prices of a side, or of both sides if they share a list: of the roster, the scenario, or the system. */
function createPriceFinder({ costs, sides, armies }: RosterFile, base: Scenario, side: Side, locate: Locate) {
  const { prices: own, system } = getBoundScenario(base);
  let prices: readonly Price[] = own;
  if (costs !== undefined || own.length === 0) {
    const read = readCosts(system.schema, base, costs ?? system.costs ?? {}, () => 0);
    const [wrong] = read.problems.map(({ path, describe }) => ({ path, ...describe() }));
    if (wrong !== undefined) throw new InputError(locate(wrong.path), wrong.expected, wrong.found);
    prices = read.prices;
  }
  const byPath = new Map(prices.map(({ path, price }) => [path, price]));
  const find = (of: Side, path: string): number | undefined => byPath.get(joinPaths(sides[of], path));
  return (path: string): number | undefined => {
    const [price, other] = [find(side, path), find('defender', path)];
    if (armies === undefined || price === other) return price;
    const found = `"${path}": ${String(price ?? 'none')} for the attacker, ${String(other ?? 'none')} for the defender`;
    throw new InputError(locate(['armies']), 'equal prices on both sides, or attackers and defenders', found);
  };
}

function listArmies(file: RosterFile, armies: ArmiesFile, side: Side, base: Scenario, locate: Locate): readonly Army[] {
  if (!Array.isArray(armies)) {
    const field = file.armies === undefined ? `${side}s` : 'armies';
    return listAffordableArmies(armies, createPriceFinder(file, base, side, locate), locate([field]));
  }
  return armies.map(({ name, set, value }) => ({ name, values: set ?? { '': value } }));
}

type Fields = Record<string, z.core.util.JSONType>;

/** Creates an axis whose cases set fields of a side. */
function createArmyAxis(name: string, side: string, armies: readonly Army[]) {
  const createCase = ({ values }: Army): Fields =>
    Object.fromEntries(Object.entries(values).map(([path, value]) => [joinPaths(side, path), value])) as Fields;
  return { name, cases: Object.fromEntries(armies.map((army) => [army.name, createCase(army)])) };
}

/**
 * Lists the fields of a terrain's scenario that differ from the base. Two axes of a sweep cannot set the same path: if an
 * army replaces a side, the path of the side has brackets here. The axis of the army follows, so its value applies.
 */
function listChangedFields(
  base: Scenario,
  scenario: Scenario | undefined,
  isSet: (path: string) => boolean,
  place: string,
): Fields {
  if (scenario === undefined) return {};
  const [from, to] = [base, scenario] as unknown as Readonly<Record<string, unknown>>[];
  if (base.system !== scenario.system) throw new InputError(place, `a scenario of ${base.system}`, scenario.system);
  const missing = Object.keys(from ?? {}).find((field) => field !== 'name' && to?.[field] === undefined);
  if (missing !== undefined)
    throw new InputError(place, `the field ${missing}, as in the scenario of the roster`, 'nothing');
  return Object.fromEntries(
    Object.entries(to ?? {})
      .filter(([field, value]) => field !== 'name' && JSON.stringify(value) !== JSON.stringify(from?.[field]))
      .map(([field, value]) => [isSet(field) ? `[${JSON.stringify(field)}]` : field, value]),
  ) as Fields;
}

function createTerrainAxis(
  { terrains = [] }: RosterFile,
  { base, terrains: scenarios }: RosterScenarios,
  isSet: (path: string) => boolean,
  locate: Locate,
) {
  if (terrains.length === 0) return [];
  const cases = terrains.map(({ name, set }, t) => {
    const fields = listChangedFields(base, scenarios[t], isSet, locate(['terrains', t, 'scenario']));
    return [name, { ...fields, ...set }];
  });
  return [{ name: ROSTER_AXES.terrain, cases: Object.fromEntries(cases) as Record<string, Fields> }];
}

/** Orders armies or terrains like the cases of an axis: JavaScript sorts names that are integers before all others. */
function sortLikeCases<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  return Object.keys(Object.fromEntries(byName)).flatMap((name) => byName.get(name) ?? []);
}

function normalizeTerrains({ terrains: given }: RosterFile): Terrain[] {
  const terrains: readonly Terrain[] = given ?? [{ name: '', weight: 1 }];
  const sum = terrains.reduce((total, { weight }) => total + weight, 0);
  return sortLikeCases(terrains).map(({ name, weight }) => ({ name, weight: weight / sum }));
}

function checkSides({ sides }: RosterFile, base: Scenario, locate: Locate): void {
  for (const [side, path] of Object.entries(sides)) {
    if (getValueAt(base, splitPath(path)) !== undefined) continue;
    const fields = Object.keys(base).filter((field) => field !== 'system' && field !== 'name');
    throw new InputError(
      locate(['sides', side]),
      `the path of a side in the scenario, which has the fields ${fields.join(', ')}`,
      `"${path}"`,
    );
  }
}

/** In a roster, exact results are always instead of battles. */
const toSweepMode = (exact: ExactMode): SweepSpec['exact'] => (exact === 'auto' ? 'instead' : exact);

/** Selects the options of simulated cells; if all cells are solved, none are simulated. */
function createRunLength({ exact, battles, bounded, ...file }: RosterFile) {
  if (exact === 'always') return { battles: 0 };
  return {
    ...(battles !== undefined && { battles }),
    ...pickOptions(PRECISION, file),
    ...(bounded !== undefined && { bounded }),
  };
}

function openRoster(file: RosterFile, scenarios: RosterScenarios, path: string, locate: Locate): Roster {
  const { base } = scenarios;
  const { sides, exact, budget, seed, name } = file;
  checkSides(file, base, locate);
  const payoff = parsePayoff(file.payoff, getBoundScenario(base).shape, locate(['payoff']));
  const [attackers = [], defenders = []] = SIDES.map((side) => {
    // The schema requires armies, or both lists.
    const shared = file.armies;
    const own = side === 'attacker' ? file.attackers : file.defenders;
    const armies = shared ?? own ?? [];
    return sortLikeCases(listArmies(file, armies, shared === undefined ? side : 'attacker', base, locate));
  });
  const armies = { attacker: attackers, defender: defenders };
  checkTerrains(file, armies, locate);
  const isSet = (field: string): boolean =>
    SIDES.some((side) => sides[side] === field && armies[side].some(({ values }) => '' in values));
  const spec: SweepSpec = {
    ...(name !== undefined && { name }),
    scenario: base,
    axes: [
      ...createTerrainAxis(file, scenarios, isSet, locate),
      createArmyAxis(ROSTER_AXES.attacker, sides.attacker, attackers),
      createArmyAxis(ROSTER_AXES.defender, sides.defender, defenders),
    ],
    design: 'grid' as const,
    ...createRunLength(file),
    exact: toSweepMode(exact),
    ...(budget !== undefined && { budget }),
    seed,
    streams: 'common' as const,
    keep: { metrics: [...payoff.metrics], histograms: true },
  };
  const terrains = normalizeTerrains(file);
  const expectations = file.expect.map((text, e) => ({ text, place: locate(['expect', e]) }));
  const sweep = openSweep(spec, path);
  checkArmies(file, armies, sweep, locate);
  return { name: name ?? path, sides, attackers, defenders, terrains, payoff, sweep, expectations };
}

/** Options that replace fields of a roster file. */
export const ROSTER_CHANGES = {
  /** Number of battles of a matchup that is not solved exactly. */
  battles: count(1, MAX_BATTLES, 'number of battles of each simulated matchup (default: 100000, or as in the file)'),
  /** Replaces the seed of the file. */
  seed: seedOption('override the seed of the file'),
  /** Exact answers instead of simulation; `auto`: if they are cheap; default: as in the file. */
  exact: word('exact answers instead of simulation; auto: if they are cheap (default: as in the file)', EXACTNESS),
  /** Maximum steps of an exact answer, 1..10^10. */
  budget: BUDGET,
} as const satisfies OptionSpecs;

/** Options of simulating and solving matchups that replace those of a roster. */
export type RosterChanges = RequestedOptions<typeof ROSTER_CHANGES>;

/** @throws InputError if a value is not from `loadRoster` or `validateRoster` */
export function checkRosterObject(given: Roster): void {
  if ((given as Partial<Roster> | undefined)?.sweep === undefined)
    throw new InputError('roster', 'a roster from loadRoster', describeFound(given));
}

/** Returns the roster with other options of simulating and solving its matchups. */
export function changeRoster(roster: Roster, changes: RosterChanges): Roster {
  const { exact } = changes;
  const { battles, seed, budget } = resolveOptions(ROSTER_CHANGES, changes);
  if (Object.keys(pickOptions(ROSTER_CHANGES, changes)).length === 0) return roster;
  const { spec } = roster.sweep;
  const { battles: before, precision, ...rest } = spec;
  const mode = exact === undefined ? spec.exact : toSweepMode(exact);
  if (mode === 'always' && battles !== undefined) throw createConflictError('battles', 'exact always');
  const own = mode === 'always' ? { battles: 0 } : spec.exact === 'always' ? {} : { battles: before, precision };
  const changed = {
    ...rest,
    ...own,
    ...(battles !== undefined && { battles }),
    exact: mode,
    ...(seed !== undefined && { seed: String(seed) }),
    ...(budget !== undefined && { budget }),
  };
  return { ...roster, sweep: openSweep(changed, roster.name) };
}

/**
 * Parses a roster file.
 * @param name of the roster in messages, and in results if it has no label
 * @param loader loads its scenarios
 * @throws InputError for an invalid file or scenario
 */
export async function parseRoster(source: DocumentSource, name: string, loader: ScenarioLoader): Promise<Roster> {
  checkFileKind(source, 'roster');
  const [file, base] = await collectInputErrors([() => checkBySchema(rosterSchema, source), () => loader.loadOwn()]);
  if (base === undefined) throw new TypeError('a roster without a scenario was not rejected');
  const terrains = await collectInputErrors(
    (file.terrains ?? []).map(({ scenario }, t) => async () => {
      return scenario === undefined ? undefined : await loader.load(scenario, ['terrains', t, 'scenario']);
    }),
  );
  const locate: Locate = (at) => formatPosition(source, at);
  return openRoster(file, { base, terrains }, name, locate);
}
