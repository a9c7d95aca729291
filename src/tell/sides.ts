/**
 * The sides of a scenario, each with a tone: a number that stands for the same colour in every bar, table and picture.
 * pictures/theme.ts says which colours these are.
 */
import { type Opened, opened, type Scenario } from '../rules/index.ts';
import { isWon } from './survey/outcomes.ts';
import { clean } from './text/clean.ts';

export interface ShownSide {
  /** As outcomes and metrics have it: `attacker`, `egypt`. */
  readonly id: string;
  /** What the scenario calls it: `Swordsmen`; its id, unless the scenario names it. */
  readonly name: string;
  /** 0: the attacker; 1: the defender; 2..5: further players. */
  readonly tone: number;
  /** What else is this side's: outcomes that do not bear its name, and its combatants by name and place. */
  readonly also: readonly string[];
}

/** Colours that there are for sides; sides beyond them have those of the first ones again. */
export const TONES = 6;

/** Players who are called by a colour have the one that is nearest. */
const CALLED: ReadonlyMap<string, number> = new Map([
  ['red', 0],
  ['blue', 1],
  ['green', 2],
  ['pink', 3],
  ['purple', 3],
  ['yellow', 5],
]);

/** The two that battles have mostly; their tones are always the same. */
const FIRST: readonly string[] = ['attacker', 'defender'];

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unique = (names: readonly string[]): string[] => [...new Set(names)];

/** `hp.attacker` -> `attacker`: what stands behind the first point. */
const restOf = (name: string): string => name.slice(name.indexOf('.') + 1);

/** Those who stand in all groups of metrics in which a player stands, two at least: barbarians, who decide nothing. */
function besides(metrics: readonly string[], players: readonly string[]): string[] {
  const groups = unique(metrics.filter((name) => name.includes('.')).map((name) => name.slice(0, name.indexOf('.'))));
  const named = groups
    .map((group) => metrics.filter((name) => name.startsWith(`${group}.`)).map(restOf))
    .filter((names) => players.some((player) => names.includes(player)));
  return named.length < 2 ? [] : (named[0] ?? []).filter((name) => named.every((names) => names.includes(name)));
}

/** Players of the environment for agents: asked only where nothing else tells who plays. */
function rollout({ system, scenario }: Opened) {
  try {
    return system.rollout?.(scenario);
  } catch {
    // Rules of a user that fail say so elsewhere; colours are no reason to.
    return undefined;
  }
}

function idsOf(open: Opened): string[] {
  const fields = open.scenario as unknown as Fields;
  const { outcomes } = open.shape;
  const metrics = open.shape.metrics.map(({ name }) => name);
  const first = FIRST.filter((name) => name in fields || outcomes.includes(name));
  const players = isFields(fields['players']) ? Object.keys(fields['players']) : [];
  const winners = outcomes.filter(
    (name) => isWon(name) && (name in fields || metrics.some((metric) => restOf(metric) === name)),
  );
  const found = unique([...first, ...players, ...winners]);
  const all = unique([...found, ...besides(metrics, found)]);
  return all.length > 0 ? all : [...(rollout(open)?.players ?? [])];
}

/** Who holds what the others attack comes after them. */
function inOrder(ids: readonly string[], fields: Fields): string[] {
  const areas = Array.isArray(fields['areas']) ? fields['areas'].filter(isFields) : [];
  const holds = (id: string): boolean => areas.some(({ city }) => city === id);
  return ids.every(holds) ? [...ids] : ids.toSorted((a, b) => Number(holds(a)) - Number(holds(b)));
}

function tonesOf(ids: readonly string[]): number[] {
  const tones = ids.map((id) => {
    const first = FIRST.indexOf(id);
    return first >= 0 ? first : CALLED.get(id.toLowerCase());
  });
  const taken = tones.map((tone, s) => (tone !== undefined && tones.indexOf(tone) === s ? tone : undefined));
  const free = ids.map((_, tone) => tone).filter((tone) => !taken.includes(tone));
  return taken.map((tone) => tone ?? (free.shift() ?? 0) % TONES);
}

/** Combatants of a side, by name and by place. */
function combatantsOf(party: string, { combatants }: Fields): string[] {
  if (!Array.isArray(combatants)) return [];
  return combatants.flatMap((each, c) =>
    isFields(each) && each['party'] === party ? [`combatants[${String(c)}]`, String(each['name'])] : [],
  );
}

/** Where no outcome bears a player's name: those that are all that this one can wish, and no other. */
function wonBy(id: string, ids: readonly string[], open: Opened): string[] {
  const { outcomes } = open.shape;
  if (outcomes.some((name) => ids.includes(name))) return [];
  const environment = rollout(open);
  // Who decides nothing, such as barbarians, wishes nothing.
  if (environment?.worth === undefined || !environment.players.includes(id)) return [];
  const wishes = (outcome: string, player: string): boolean => environment.worth?.(outcome, player) === 1;
  return outcomes.filter((outcome) => environment.players.every((each) => wishes(outcome, each) === (each === id)));
}

function made(open: Opened): ShownSide[] {
  const fields = open.scenario as unknown as Fields;
  const ids = inOrder(idsOf(open), fields);
  const tones = tonesOf(ids);
  return ids.map((id, s) => {
    const { [id]: own } = fields;
    const name = isFields(own) && typeof own['name'] === 'string' ? own['name'] : id;
    return {
      ...{ id, name: clean(name), tone: tones[s] ?? 0 },
      also: [...combatantsOf(id, fields), ...wonBy(id, ids, open)],
    };
  });
}

const known = new WeakMap<Scenario, readonly ShownSide[]>();

/** The sides of a scenario, the attacker first; none where nothing tells who fights. */
export function sidesOf(scenario: Scenario): readonly ShownSide[] {
  const found = known.get(scenario) ?? made(opened(scenario));
  known.set(scenario, found);
  return found;
}

/** Whether a path leads into a part: `attacker.units.tank`, `combatants[0].hp`. */
const within = (path: string, part: string): boolean => path === part || path.startsWith(`${part}.`);

/**
 * Whose an outcome, a metric or a path of the scenario is: `attacker`, `hp.attacker`, `attacker.units.tank`. Undefined of
 * what is nobody's: `mutual`, `rounds`, `areas[0].limit`.
 */
export function sideIn(name: string, sides: readonly ShownSide[]): ShownSide | undefined {
  const rest = restOf(name);
  const at = (path: string): ShownSide | undefined =>
    sides.find(({ id }) => within(path, id)) ?? sides.find(({ also }) => also.some((part) => within(path, part)));
  // A combatant can have the name of another's party: hit points are counted by combatant.
  const fighter = name.startsWith('hp.') ? sides.find(({ also }) => also.includes(rest)) : undefined;
  return fighter ?? at(name) ?? at(rest) ?? sides.find(({ id }) => name.endsWith(`.${id}`));
}

/** A letter, digit or underscore: what would make a name a part of another word. */
const WORD = /[\p{L}\p{N}_]/u;

/** Where a name stands in a text as a word of its own; after its end if it does not. */
function placeIn(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + name.length)];
    if (name !== '' && !WORD.test(before) && !WORD.test(after)) return at;
  }
  return text.length;
}

/** The side that a sentence of a replay is about: the one that it names first. */
export function sideNamed(sentence: string, sides: readonly ShownSide[]): ShownSide | undefined {
  const text = sentence.toLowerCase();
  const places = sides.map(({ id, name, also }) =>
    Math.min(...[id, name, ...also].map((each) => placeIn(text, each.toLowerCase()))),
  );
  const first = Math.min(...places);
  return first < text.length ? sides[places.indexOf(first)] : undefined;
}
