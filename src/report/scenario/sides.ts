/**
 * Sides of a scenario, each with a tone: a number for the same color in every bar, table and figure. The colors are in
 * figures/theme.ts.
 */
import { type BoundScenario, getBoundScenario, type Scenario } from '../../rules/index.ts';
import { hasWinner } from '../sweep-analysis/outcome-text.ts';
import { sanitizeLine } from '../text/sanitize.ts';

export interface ScenarioSide {
  /** Id, as in outcomes and metrics: `attacker`, `egypt`. */
  readonly id: string;
  /** Name in the scenario: `Swordsmen`. Default: the id. */
  readonly name: string;
  /** 0: the attacker; 1: the defender; 2..5: further players. */
  readonly tone: number;
  /** Further names of the side: outcomes without its name, and its combatants by name and index. */
  readonly also: readonly string[];
}

/** Number of colors of sides; further sides reuse them. */
export const TONES = 6;

/** Tones of players whose name is a color. */
const TONES_BY_NAME: ReadonlyMap<string, number> = new Map([
  ['red', 0],
  ['blue', 1],
  ['green', 2],
  ['pink', 3],
  ['purple', 3],
  ['yellow', 5],
]);

/** The two usual sides, with fixed tones. */
const STANDARD_SIDES: readonly string[] = ['attacker', 'defender'];

type ScenarioFields = Readonly<Record<string, unknown>>;

const isScenarioFields = (value: unknown): value is ScenarioFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const removeDuplicates = (names: readonly string[]): string[] => [...new Set(names)];

/** Part of a metric after the first dot: `attacker` for `hp.attacker`. */
const getNameSuffix = (name: string): string => name.slice(name.indexOf('.') + 1);

/** Parties in all groups of metrics that contain a player, at least two: also barbarians, who make no decisions. */
function listOtherParties(metrics: readonly string[], players: readonly string[]): string[] {
  const groups = removeDuplicates(
    metrics.filter((name) => name.includes('.')).map((name) => name.slice(0, name.indexOf('.'))),
  );
  const named = groups
    .map((group) => metrics.filter((name) => name.startsWith(`${group}.`)).map(getNameSuffix))
    .filter((names) => players.some((player) => names.includes(player)));
  return named.length < 2 ? [] : (named[0] ?? []).filter((name) => named.every((names) => names.includes(name)));
}

/** Players of the environment, used only if nothing else identifies the sides. */
function findEnvironmentPlayers({ system, scenario }: BoundScenario) {
  try {
    return system.environment?.(scenario);
  } catch {
    // Errors of custom rules are reported elsewhere, not because of colors.
    return undefined;
  }
}

function listSideIds(open: BoundScenario): string[] {
  const fields = open.scenario as unknown as ScenarioFields;
  const { outcomes } = open.shape;
  const metrics = open.shape.metrics.map(({ name }) => name);
  const first = STANDARD_SIDES.filter((name) => name in fields || outcomes.includes(name));
  const players = isScenarioFields(fields['players']) ? Object.keys(fields['players']) : [];
  const winners = outcomes.filter(
    (name) => hasWinner(name) && (name in fields || metrics.some((metric) => getNameSuffix(metric) === name)),
  );
  const found = removeDuplicates([...first, ...players, ...winners]);
  const all = removeDuplicates([...found, ...listOtherParties(metrics, found)]);
  return all.length > 0 ? all : [...(findEnvironmentPlayers(open)?.players ?? [])];
}

/** Sorts the owner of the city after its attackers. */
function orderSides(ids: readonly string[], fields: ScenarioFields): string[] {
  const areas = Array.isArray(fields['areas']) ? fields['areas'].filter(isScenarioFields) : [];
  const hasPlayer = (id: string): boolean => areas.some(({ city }) => city === id);
  return ids.every(hasPlayer) ? [...ids] : ids.toSorted((a, b) => Number(hasPlayer(a)) - Number(hasPlayer(b)));
}

function assignTones(ids: readonly string[]): number[] {
  const tones = ids.map((id) => {
    const first = STANDARD_SIDES.indexOf(id);
    return first >= 0 ? first : TONES_BY_NAME.get(id.toLowerCase());
  });
  const taken = tones.map((tone, s) => (tone !== undefined && tones.indexOf(tone) === s ? tone : undefined));
  const free = ids.map((_, tone) => tone).filter((tone) => !taken.includes(tone));
  return taken.map((tone) => tone ?? (free.shift() ?? 0) % TONES);
}

/** Combatants of a side, by name and by index. */
function listCombatants(party: string, { combatants }: ScenarioFields): string[] {
  if (!Array.isArray(combatants)) return [];
  return combatants.flatMap((each, c) =>
    isScenarioFields(each) && each['party'] === party ? [`combatants[${String(c)}]`, String(each['name'])] : [],
  );
}

/** Outcomes without the name of a player that are wins of only this player. */
function listWonOutcomes(id: string, ids: readonly string[], open: BoundScenario): string[] {
  const { outcomes } = open.shape;
  if (outcomes.some((name) => ids.includes(name))) return [];
  const environment = findEnvironmentPlayers(open);
  // Parties without decisions, such as barbarians, have no wins.
  if (environment?.reward === undefined || !environment.players.includes(id)) return [];
  const isTarget = (outcome: string, player: string): boolean => environment.reward?.(outcome, player) === 1;
  return outcomes.filter((outcome) => environment.players.every((each) => isTarget(outcome, each) === (each === id)));
}

function createSides(open: BoundScenario): ScenarioSide[] {
  const fields = open.scenario as unknown as ScenarioFields;
  const ids = orderSides(listSideIds(open), fields);
  const tones = assignTones(ids);
  return ids.map((id, s) => {
    const { [id]: own } = fields;
    const name = isScenarioFields(own) && typeof own['name'] === 'string' ? own['name'] : id;
    return {
      ...{ id, name: sanitizeLine(name), tone: tones[s] ?? 0 },
      also: [...listCombatants(id, fields), ...listWonOutcomes(id, ids, open)],
    };
  });
}

const sidesByScenario = new WeakMap<Scenario, readonly ScenarioSide[]>();

/** Sides of a scenario, the attacker first; empty if they cannot be determined. */
export function getSides(scenario: Scenario): readonly ScenarioSide[] {
  const found = sidesByScenario.get(scenario) ?? createSides(getBoundScenario(scenario));
  sidesByScenario.set(scenario, found);
  return found;
}

/** True if a path is within a part: `attacker.units.tank`, `combatants[0].hp`. */
const isWithin = (path: string, part: string): boolean => path === part || path.startsWith(`${part}.`);

/**
 * Finds the side of an outcome, a metric or a path: `attacker`, `hp.attacker`, `attacker.units.tank`. Undefined if
 * there is none: `mutual`, `rounds`, `areas[0].limit`.
 */
export function findSide(name: string, sides: readonly ScenarioSide[]): ScenarioSide | undefined {
  const rest = getNameSuffix(name);
  const getSideAt = (path: string): ScenarioSide | undefined =>
    sides.find(({ id }) => isWithin(path, id)) ?? sides.find(({ also }) => also.some((part) => isWithin(path, part)));
  // A combatant can have the name of another party, because hit points are counted by combatant.
  const fighter = name.startsWith('hp.') ? sides.find(({ also }) => also.includes(rest)) : undefined;
  return fighter ?? getSideAt(name) ?? getSideAt(rest) ?? sides.find(({ id }) => name.endsWith(`.${id}`));
}

/** Letters, digits and underscores, which continue a word. */
const WORD_CHARACTER = /[\p{L}\p{N}_]/u;

/** Position of a name in a text as a separate word; the length of the text if it does not occur. */
function findWord(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (name !== '' && !WORD_CHARACTER.test(before) && !WORD_CHARACTER.test(after)) return at;
  }
  return text.length;
}

/** Finds the side that a sentence of a replay names first. */
export function findMentionedSide(sentence: string, sides: readonly ScenarioSide[]): ScenarioSide | undefined {
  const text = sentence.toLowerCase();
  const places = sides.map(({ id, name, also }) =>
    Math.min(...[id, name, ...also].map((each) => findWord(text, each.toLowerCase()))),
  );
  const first = Math.min(...places);
  return first < text.length ? sides[places.indexOf(first)] : undefined;
}
