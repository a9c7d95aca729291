/** Checks what authors declare, member by member: one that nobody reads would be ignored, one that is missing fails later. */

import { z } from 'zod';
import { describeFound, didYouMean, InputError } from '../../core/index.ts';
import { ALWAYS, across, maxRounds, refuse, scenarioName } from '../fields.ts';
import { apart, watchedCall, watchedModel } from '../guard.ts';
import { isMapping } from '../scenario/problem.ts';
import type { Decision, DeclaredFeature, Model, Rollout, Rule, Scenario, State, System } from '../system.ts';
import { type Battle, type BattleMetric, type BattleState, modelOf } from './battle.ts';

/** What a member has to be. */
interface Member {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  readonly optional: boolean;
}

const needed = (expected: string, holds: (value: unknown) => boolean): Member => ({
  ...{ expected, holds, optional: false },
});

const optional = (expected: string, holds: (value: unknown) => boolean): Member => ({
  ...{ expected, holds, optional: true },
});

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isInteger = (value: unknown): boolean => Number.isInteger(value);
const isObject = (value: unknown): boolean => isMapping(value);
const isList = (value: unknown): boolean => Array.isArray(value);
const arePrices = (value: unknown): boolean =>
  isMapping(value) && Object.values(value).every((price) => isNumber(price) && (price as number) >= 0);
const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/**
 * Refuses an object that lacks a member, has one of another kind, or one that is not known.
 * @param place   as messages name it: `defineSystem my-duel`
 * @param members all that it can have
 * @throws InputError
 */
function checkMembers(place: string, value: unknown, members: Readonly<Record<string, Member>>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(place, 'an object', describeFound(value));
  const known = Object.entries(members);
  const names = known.map(([name]) => name);
  // An object of a class may have fields of its own.
  const stranger = isMapping(value) ? Object.keys(value).find((name) => !names.includes(name)) : undefined;
  if (stranger !== undefined)
    throw new InputError(place, `members among ${names.join(', ')}`, `"${stranger}"${didYouMean(stranger, names)}`);
  for (const [name, { expected, holds, optional: mayLack }] of known) {
    const found = (value as Readonly<Record<string, unknown>>)[name];
    if (holds(found) || (mayLack && found === undefined)) continue;
    throw new InputError(`${place} ${name}`, expected, describeFound(found));
  }
}

/** Checks each of a list or a mapping, by what it is called in messages. */
function checkEach(place: string, values: unknown, members: Readonly<Record<string, Member>>): void {
  for (const [name, value] of Object.entries({ ...(values as Readonly<Record<string, unknown>> | undefined) }))
    checkMembers(Array.isArray(values) ? `${place}[${name}]` : `${place}.${name}`, value, members);
}

// The members that declarations of systems have, and what each has to be.

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
  costs: optional('prices by what is counted: { tank: 6 }', arePrices),
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
  outOfRounds: optional('a text', isText),
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
function checkSystem(given: { readonly id: string; readonly decisions?: unknown; readonly rules?: object }): void {
  // Further messages name the system by its id.
  if (!isId((given as { id?: unknown } | undefined)?.id)) checkMembers('defineSystem', given, SYSTEM);
  const place = `defineSystem ${given.id}`;
  checkMembers(place, given, SYSTEM);
  checkEach(`${place} decisions`, given.decisions, DECISION);
  const rules = Object.entries(given.rules ?? {}).filter(([, rule]) => !isFunction(rule));
  checkEach(`${place} rules`, Object.fromEntries(rules), RULE);
}

/** What the rules of a scenario are. @throws InputError that names the member */
function checkBattle(system: string, battle: Pick<Battle<never>, 'metrics'>): void {
  checkMembers(`${system}: battle`, battle, BATTLE);
  checkEach(`${system}: battle.metrics`, battle.metrics, METRIC);
}

/** What the environment of a scenario is. @throws InputError that names the member */
function checkRollout(system: string, rollout: Omit<Rollout<never>, 'kernel'>): void {
  checkMembers(`${system}: rollout`, rollout, ROLLOUT);
  checkEach(`${system}: rollout.features`, rollout.features, FEATURE);
}

// `defineSystem`: from what an author tells to a system.

/** Refuses a scenario: the path to the field, what would have been accepted, and what was there. */
export type Refuse = (path: readonly (string | number)[], expected: string, found?: string) => void;

/** What every scenario of a system has besides its own fields. */
export interface CommonFields {
  readonly system: string;
  readonly name?: string | undefined;
  /** A battle that is not over after so many rounds is a stalemate, or what its `outOfRounds` says. */
  readonly maxRounds: number;
}

/** A complete scenario by its fields. */
export type ScenarioOf<F extends z.ZodRawShape> = CommonFields & z.output<z.ZodObject<F>>;

/** A rule: how a replay tells that it applied, and where it comes from. */
export type RuleDefinition = Rule['tell'] | { readonly tell: Rule['tell']; readonly source?: string };

/** What `defineSystem` takes: fields, rules, outcomes and metrics of a system. */
export interface SystemDefinition<F extends z.ZodRawShape, S> {
  /** The name in scenario files: lower-case words joined by hyphens. */
  readonly id: string;
  readonly title: string;
  /** What the system is about: mechanism and randomness, in a sentence or two. */
  readonly about: string;
  /** The fields of a scenario, each declared by zod or by a helper (`integer`, `oneOf`, `flag`, ...). */
  readonly fields: F;
  /** Refuses scenarios for what no single field can be blamed for. */
  readonly check?: (scenario: ScenarioOf<F>, refuse: Refuse) => void;
  /** The rules of one scenario. */
  readonly battle: (scenario: ScenarioOf<F>) => Battle<S>;
  /** Rules by id, as `door.rule` names them; `round` is there unless given. */
  readonly rules?: Readonly<Record<string, RuleDefinition>>;
  /** What metrics count, by the first part of their names: `{ left: 'armies' }` for `left.attacker`. */
  readonly counts?: System['counts'];
  /** Prices of what scenarios count, unless their files have some: `{ tank: 6 }` for `attacker.tank` and `defender.tank`. */
  readonly costs?: System['costs'];
  /** Points at which players decide. */
  readonly decisions?: readonly Decision[];
  /** Small scenarios: their fields, by name. */
  readonly examples?: Readonly<Record<string, z.input<z.ZodObject<F>> & { readonly maxRounds?: number }>>;
  /** The system as an environment for agents. */
  readonly rollout?: (scenario: ScenarioOf<F>) => Omit<Rollout<S>, 'kernel'>;
}

const ROUNDS =
  'A battle that is not over when so many rounds are complete ends: as a stalemate unless its rules say otherwise.';

const TAKEN = ['system', 'name'];

const ROUND: Rule = { source: 'the rounds of every battle', tell: (facts) => `Round ${String(facts['round'])}.` };

function checkDefinition(definition: SystemDefinition<z.ZodRawShape, never>): void {
  checkSystem(definition);
  const { id, fields } = definition;
  const taken = Object.keys(fields).find((name) => TAKEN.includes(name));
  if (taken !== undefined)
    throw new InputError(`defineSystem ${id} fields`, 'names other than system and name', `"${taken}"`);
}

function schemaOf<F extends z.ZodRawShape>({
  id,
  fields,
  check,
}: Pick<SystemDefinition<F, never>, 'id' | 'fields' | 'check'>): z.ZodType<ScenarioOf<F>> {
  const common = { system: z.literal(id), name: scenarioName };
  const schema = z.strictObject({ ...common, maxRounds: maxRounds.meta({ description: ROUNDS }), ...fields });
  const checked = across<unknown>((scenario, context) => {
    if (check === undefined) return;
    watchedCall('check', id, () => {
      check(scenario as ScenarioOf<F>, (path, expected, found) => {
        refuse(context, path, expected, found);
      });
    });
  });
  return schema.superRefine(checked, ALWAYS) as unknown as z.ZodType<ScenarioOf<F>>;
}

function ruleOf(given: RuleDefinition, id: string): Rule {
  if (typeof given === 'function') return { source: `rule ${id}`, tell: given };
  return { source: given.source ?? `rule ${id}`, tell: given.tell };
}

/** A feature over the states of a battle, which models wrap. */
function featureOf<S>(declared: DeclaredFeature<S>, id: string): DeclaredFeature<BattleState<S>> {
  const { name, high, unit, low } = declared;
  const of = declared.of?.bind(declared);
  return {
    ...{ name, high, ...(unit !== undefined && { unit }), ...(low !== undefined && { low }) },
    ...(of !== undefined && { of: ({ at }, player) => watchedCall('rollout', id, () => apart(of, at, player)) }),
  };
}

/** The same of a whole declaration. */
function rolloutOf<S>(declared: Omit<Rollout<S>, 'kernel'>, id: string): Rollout<BattleState<S>> {
  const features = declared.features.map((feature) => featureOf(feature, id));
  // All else has nothing to do with states.
  const whole = { ...declared, features } as unknown as Rollout<BattleState<S>>;
  const observe = declared.observe?.bind(declared);
  if (observe === undefined) return whole;
  return { ...whole, observe: ({ at }, player) => watchedCall('rollout', id, () => apart(observe, at, player)) };
}

/**
 * A battle system of one's own. What it returns is what a module exports by default for `--systems` and `loadSystems`,
 * and what readers of scenarios take as `{ systems: [system] }`.
 * @throws InputError if the definition is not complete
 */
export function defineSystem<F extends z.ZodRawShape, S>(definition: SystemDefinition<F, S>): System<ScenarioOf<F>> {
  checkDefinition(definition as unknown as SystemDefinition<z.ZodRawShape, never>);
  const { id, title, about, battle, rules = {}, decisions = [], rollout, counts, costs } = definition;
  const catalogue = Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, ruleOf(rule, name)]));
  return {
    ...{ id, title, about, decisions },
    schema: schemaOf(definition),
    rules: { round: ROUND, ...catalogue },
    examples: Object.entries(definition.examples ?? {}).map(([name, fields]) => ({
      name,
      scenario: { system: id, name, ...(fields as object) },
    })),
    ...(counts && { counts }),
    ...(costs && { costs }),
    ...(rollout && {
      rollout(scenario: ScenarioOf<F>) {
        const declared = watchedCall('rollout', id, () => apart(rollout, scenario, undefined));
        checkRollout(id, declared);
        return rolloutOf(declared, id);
      },
    }),
    model(scenario: ScenarioOf<F> & Scenario): Model<State> {
      const rulesOf = watchedCall('battle', id, () => apart(battle, scenario, undefined));
      checkBattle(id, rulesOf);
      const points = decisions.map(({ point }) => point);
      return watchedModel(modelOf(rulesOf, scenario.maxRounds, points), id);
    },
  };
}
