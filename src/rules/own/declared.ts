/** The members that declarations of systems have, and what each has to be. */
import type { DeclaredFeature, Rollout } from '../rollout.ts';
import type { Decision } from '../system.ts';
import type { Battle, BattleMetric } from './battle.ts';
import {
  areTexts,
  checkEach,
  checkMembers,
  isFunction,
  isInteger,
  isList,
  isNumber,
  isObject,
  isText,
  type Member,
  needed,
  optional,
} from './members.ts';

type Members<T extends object> = Readonly<Record<keyof T & string, Member>>;

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value) && value.length <= 60;

const isUnit = (value: unknown): boolean => isNumber(value) && (value as number) > 0;

/** Of `defineSystem`. */
const SYSTEM = {
  id: needed('lower-case words joined by hyphens', isId),
  title: needed('a text', isText),
  about: needed('a text', isText),
  fields: needed('the fields of a scenario: { lives: integer(1, 20, ...) }', isObject),
  check: optional('a function', isFunction),
  battle: needed('a function that gives the rules of a scenario', isFunction),
  rules: optional('sentences of replays by the names of rules', isObject),
  counts: optional('texts by the first part of the names of metrics', isObject),
  decisions: optional('a list of decision points', isList),
  examples: optional('the fields of scenarios by name', isObject),
  rollout: optional('a function that gives the environment of a scenario', isFunction),
} as const satisfies Readonly<Record<string, Member>>;

const DECISION: Members<Decision> = {
  point: needed('a text', isText),
  who: needed('a text', isText),
  about: needed('a text', isText),
  policies: needed('a list of texts', areTexts),
  tell: optional('texts by option', isObject),
};

const RULE: Members<{ readonly tell: unknown; readonly source?: unknown }> = {
  tell: needed('a function of the facts', isFunction),
  source: optional('a text', isText),
};

const BATTLE: Members<Battle<unknown>> = {
  outcomes: needed('a list of names', areTexts),
  metrics: optional('metrics by name: { left: { min: 0, max: 9, of: (state) => state.left } }', isObject),
  slots: optional('words by the names of slots', isObject),
  start: needed('a function that returns the first state', isFunction),
  round: needed('a function of state and door, or a list of such phases', (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isFunction) : isFunction(value),
  ),
  outcome: needed('a function that returns the outcome of a state', isFunction),
  key: optional('a function of a state', isFunction),
};

const METRIC: Members<BattleMetric<unknown>> = {
  min: needed('an integer', isInteger),
  max: needed('an integer', isInteger),
  unit: optional('a number above 0', isUnit),
  of: needed('a function of the last state', isFunction),
};

const ROLLOUT: Members<Omit<Rollout, 'kernel'>> = {
  players: needed('a list of names', areTexts),
  actions: optional('lists of options by decision point', isObject),
  features: needed('a list of features', isList),
  points: optional('a list of decision points', areTexts),
  pace: optional('the name of a decision point', isText),
  rewards: optional('functions of a player, by name', isObject),
  action: optional('a function of point and option', isFunction),
  observe: optional('a function of state and player', isFunction),
  worth: optional('a function of outcome and player', isFunction),
};

const FEATURE: Members<DeclaredFeature<unknown>> = {
  name: needed('a text', isText),
  high: needed('a number', isNumber),
  unit: optional('a text', (value) => typeof value === 'string'),
  low: optional('a number', isNumber),
  of: optional('a function of state and player', isFunction),
};

/** What `defineSystem` was given. @throws InputError that names the member */
export function checkSystem(given: {
  readonly id: string;
  readonly decisions?: unknown;
  readonly rules?: object;
}): void {
  // Further messages name the system by its id.
  if (!isId((given as { id?: unknown } | undefined)?.id)) checkMembers('defineSystem', given, SYSTEM);
  const place = `defineSystem ${given.id}`;
  checkMembers(place, given, SYSTEM);
  checkEach(`${place} decisions`, given.decisions, DECISION);
  const rules = Object.entries(given.rules ?? {}).filter(([, rule]) => !isFunction(rule));
  checkEach(`${place} rules`, Object.fromEntries(rules), RULE);
}

/** What the rules of a scenario are. @throws InputError that names the member */
export function checkBattle(system: string, battle: Pick<Battle<never>, 'metrics'>): void {
  checkMembers(`${system}: battle`, battle, BATTLE);
  checkEach(`${system}: battle.metrics`, battle.metrics, METRIC);
}

/** What the environment of a scenario is. @throws InputError that names the member */
export function checkRollout(system: string, rollout: Omit<Rollout<never>, 'kernel'>): void {
  checkMembers(`${system}: rollout`, rollout, ROLLOUT);
  checkEach(`${system}: rollout.features`, rollout.features, FEATURE);
}
