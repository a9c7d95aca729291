/** Checks the declarations of authors member by member, so that unknown and missing members are errors. */

import { z } from 'zod';
import { describeFound, InputError, suggestName } from '../../core/index.ts';
import { ALWAYS, checkAcrossFields, maxRounds, reject, scenarioName } from '../fields.ts';
import { callIsolated, watchCall, watchModel } from '../rules-guard.ts';
import { isMapping } from '../scenario/problem.ts';
import type {
  Decision,
  DeclaredFeature,
  EnvironmentDefinition,
  Model,
  Rule,
  Scenario,
  State,
  System,
} from '../system.ts';
import { type Battle, type BattleMetric, type BattleState, createModel } from './battle.ts';

/** Specification of a member. */
interface MemberSpec {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  readonly optional: boolean;
}

const requiredMember = (expected: string, holds: (value: unknown) => boolean): MemberSpec => ({
  ...{ expected, isValid: holds, optional: false },
});

const optionalMember = (expected: string, holds: (value: unknown) => boolean): MemberSpec => ({
  ...{ expected, isValid: holds, optional: true },
});

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isInteger = (value: unknown): boolean => Number.isInteger(value);
const isObject = (value: unknown): boolean => isMapping(value);
const isList = (value: unknown): boolean => Array.isArray(value);
const isPriceRecord = (value: unknown): boolean =>
  isMapping(value) && Object.values(value).every((price) => isNumber(price) && (price as number) >= 0);
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/**
 * Rejects an object with a missing, invalid or unknown member.
 * @param place name in messages: `defineSystem my-duel`
 * @param members all possible members
 * @throws InputError
 */
function checkMembers(place: string, value: unknown, members: Readonly<Record<string, MemberSpec>>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(place, 'an object', describeFound(value));
  const known = Object.entries(members);
  const names = known.map(([name]) => name);
  // Instances of classes may have additional fields.
  const stranger = isMapping(value) ? Object.keys(value).find((name) => !names.includes(name)) : undefined;
  if (stranger !== undefined)
    throw new InputError(place, `members among ${names.join(', ')}`, `"${stranger}"${suggestName(stranger, names)}`);
  for (const [name, { expected, isValid, optional: mayLack }] of known) {
    const found = (value as Readonly<Record<string, unknown>>)[name];
    if (isValid(found) || (mayLack && found === undefined)) continue;
    throw new InputError(`${place} ${name}`, expected, describeFound(found));
  }
}

/** Checks each element of a list or a mapping. */
function checkEach(place: string, values: unknown, members: Readonly<Record<string, MemberSpec>>): void {
  for (const [name, value] of Object.entries({ ...(values as Readonly<Record<string, unknown>> | undefined) }))
    checkMembers(Array.isArray(values) ? `${place}[${name}]` : `${place}.${name}`, value, members);
}

// Specifications of the members of declarations.

type MemberSpecs<T extends object> = Readonly<Record<keyof T & string, MemberSpec>>;

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value) && value.length <= 60;

const isUnit = (value: unknown): boolean => isNumber(value) && (value as number) > 0;

/** Members of `defineSystem`. */
const SYSTEM = {
  id: requiredMember('lower-case words joined by hyphens', isId),
  title: requiredMember('a non-empty string', isText),
  about: requiredMember('a non-empty string', isText),
  fields: requiredMember('the fields of a scenario: { lives: integer(1, 20, ...) }', isObject),
  check: optionalMember('a function', isFunction),
  battle: requiredMember('a function that gives the rules of a scenario', isFunction),
  rules: optionalMember('sentences of replays by the names of rules', isObject),
  counts: optionalMember('texts by the first part of the names of metrics', isObject),
  costs: optionalMember('prices by counted field: { tank: 6 }', isPriceRecord),
  decisions: optionalMember('a list of decision points', isList),
  examples: optionalMember('the fields of scenarios by name', isObject),
  environment: optionalMember('a function that gives the environment of a scenario', isFunction),
} as const satisfies Readonly<Record<string, MemberSpec>>;

const DECISION: MemberSpecs<Decision> = {
  point: requiredMember('a non-empty string', isText),
  who: requiredMember('a non-empty string', isText),
  about: requiredMember('a non-empty string', isText),
  policies: requiredMember('a list of texts', isTextList),
  describe: optionalMember('texts by option', isObject),
};

const RULE: MemberSpecs<{ readonly describe: unknown; readonly source?: unknown }> = {
  describe: requiredMember('a function of the event data', isFunction),
  source: optionalMember('a non-empty string', isText),
};

const BATTLE: MemberSpecs<Battle<unknown>> = {
  outcomes: requiredMember('a list of names', isTextList),
  atRoundLimit: optionalMember('a non-empty string', isText),
  metrics: optionalMember('metrics by name: { left: { min: 0, max: 9, of: (state) => state.left } }', isObject),
  streams: optionalMember('random words by the names of streams', isObject),
  start: requiredMember('a function that returns the first state', isFunction),
  round: requiredMember('a function of state and chance, or a list of such phases', (value) =>
    Array.isArray(value) ? value.length > 0 && value.every(isFunction) : isFunction(value),
  ),
  outcome: requiredMember('a function that returns the outcome of a state', isFunction),
  key: optionalMember('a function of a state', isFunction),
};

const METRIC: MemberSpecs<BattleMetric<unknown>> = {
  min: requiredMember('an integer', isInteger),
  max: requiredMember('an integer', isInteger),
  unit: optionalMember('a number above 0', isUnit),
  of: requiredMember('a function of the last state', isFunction),
};

const ENVIRONMENT: MemberSpecs<Omit<EnvironmentDefinition, 'kernel'>> = {
  players: requiredMember('a list of names', isTextList),
  actions: optionalMember('lists of options by decision point', isObject),
  features: requiredMember('a list of features', isList),
  decisionPoints: optionalMember('a list of decision points', isTextList),
  pace: optionalMember('the name of a decision point', isText),
  rewards: optionalMember('functions of a player, by name', isObject),
  action: optionalMember('a function of point and option', isFunction),
  observe: optionalMember('a function of state and player', isFunction),
  reward: optionalMember('a function of outcome and player', isFunction),
};

const FEATURE: MemberSpecs<DeclaredFeature<unknown>> = {
  name: requiredMember('a non-empty string', isText),
  high: requiredMember('a number', isNumber),
  unit: optionalMember('a string', (value) => typeof value === 'string'),
  low: optionalMember('a number', isNumber),
  of: optionalMember('a function of state and player', isFunction),
};

/** Checks the argument of `defineSystem`. @throws InputError that names the member */
function checkSystem(given: { readonly id: string; readonly decisions?: unknown; readonly rules?: object }): void {
  // Further messages name the system by its id.
  if (!isId((given as { id?: unknown } | undefined)?.id)) checkMembers('defineSystem', given, SYSTEM);
  const place = `defineSystem ${given.id}`;
  checkMembers(place, given, SYSTEM);
  checkEach(`${place} decisions`, given.decisions, DECISION);
  const rules = Object.entries(given.rules ?? {}).filter(([, rule]) => !isFunction(rule));
  checkEach(`${place} rules`, Object.fromEntries(rules), RULE);
}

/** Checks the rules of a scenario. @throws InputError that names the member */
function checkBattle(system: string, battle: Pick<Battle<never>, 'metrics'>): void {
  checkMembers(`${system}: battle`, battle, BATTLE);
  checkEach(`${system}: battle.metrics`, battle.metrics, METRIC);
}

/** Checks the environment of a scenario. @throws InputError that names the member */
function checkEnvironment(system: string, environment: Omit<EnvironmentDefinition<never>, 'kernel'>): void {
  checkMembers(`${system}: environment`, environment, ENVIRONMENT);
  checkEach(`${system}: environment.features`, environment.features, FEATURE);
}

// `defineSystem`: creates a system from its definition.

/** Rejects a scenario: the path of the field, a description of accepted values, and the found value. */
export type Reject = (path: readonly (string | number)[], expected: string, found?: string) => void;

/** Fields of every scenario of a system, in addition to its own. */
export interface CommonFields {
  readonly system: string;
  /** Label, which does not affect results. */
  readonly name?: string | undefined;
  /**
   * Maximum number of rounds. A battle that is not over after them is a stalemate, or has the outcome `atRoundLimit`.
   */
  readonly maxRounds: number;
}

/** A complete scenario by its fields. */
export type ScenarioOf<F extends z.ZodRawShape> = CommonFields & z.output<z.ZodObject<F>>;

/** A rule: its sentence in replays, and its source. */
export type RuleDefinition = Rule['describe'] | { readonly describe: Rule['describe']; readonly source?: string };

/** Definition of a system: its fields, rules, outcomes and metrics. */
export interface SystemDefinition<F extends z.ZodRawShape, S> {
  /** The name in scenario files: lower-case words joined by hyphens. */
  readonly id: string;
  /** Name for display. */
  readonly title: string;
  /** Mechanism and randomness of the system, in one or two sentences. */
  readonly about: string;
  /** The fields of a scenario, each declared by zod or by a helper (`integer`, `oneOf`, `flag`, ...). */
  readonly fields: F;
  /** Rejects scenarios whose fields are inconsistent. */
  readonly check?: (scenario: ScenarioOf<F>, reject: Reject) => void;
  /** The rules of one scenario. */
  readonly battle: (scenario: ScenarioOf<F>) => Battle<S>;
  /** Rules by id, for `chance.rule`; default: `round`. */
  readonly rules?: Readonly<Record<string, RuleDefinition>>;
  /** Units of metrics, by the first part of their names: `{ left: 'armies' }` for `left.attacker`. */
  readonly counts?: System['counts'];
  /** Default prices of counted fields: `{ tank: 6 }` for `attacker.tank` and `defender.tank`. */
  readonly costs?: System['costs'];
  /** Points at which players decide. */
  readonly decisions?: readonly Decision[];
  /** Small scenarios: fields by the name of the example. */
  readonly examples?: Readonly<Record<string, z.input<z.ZodObject<F>> & { readonly maxRounds?: number }>>;
  /** The system as an environment for agents. */
  readonly environment?: (scenario: ScenarioOf<F>) => Omit<EnvironmentDefinition<S>, 'kernel'>;
}

const ROUNDS =
  'Maximum number of rounds. A battle that is not over after them is a stalemate, unless its rules define another outcome.';

const RESERVED_FIELDS = ['system', 'name'];

const ROUND: Rule = { source: 'the rounds of every battle', describe: (facts) => `Round ${String(facts['round'])}.` };

function checkDefinition(definition: SystemDefinition<z.ZodRawShape, never>): void {
  checkSystem(definition);
  const { id, fields } = definition;
  const taken = Object.keys(fields).find((name) => RESERVED_FIELDS.includes(name));
  if (taken !== undefined)
    throw new InputError(`defineSystem ${id} fields`, 'names other than system and name', `"${taken}"`);
}

function createSchema<F extends z.ZodRawShape>({
  id,
  fields,
  check,
}: Pick<SystemDefinition<F, never>, 'id' | 'fields' | 'check'>): z.ZodType<ScenarioOf<F>> {
  const common = { system: z.literal(id), name: scenarioName };
  const schema = z.strictObject({ ...common, maxRounds: maxRounds.meta({ description: ROUNDS }), ...fields });
  const checked = checkAcrossFields<unknown>((scenario, context) => {
    if (check === undefined) return;
    watchCall('check', id, () => {
      check(scenario as ScenarioOf<F>, (path, expected, found) => {
        reject(context, path, expected, found);
      });
    });
  });
  return schema.superRefine(checked, ALWAYS) as unknown as z.ZodType<ScenarioOf<F>>;
}

function createRule(given: RuleDefinition, id: string): Rule {
  if (typeof given === 'function') return { source: `rule ${id}`, describe: given };
  return { source: given.source ?? `rule ${id}`, describe: given.describe };
}

/** Wraps a feature for the states of models. */
function wrapFeature<S>(declared: DeclaredFeature<S>, id: string): DeclaredFeature<BattleState<S>> {
  const { name, high, unit, low } = declared;
  const of = declared.of?.bind(declared);
  return {
    ...{ name, high, ...(unit !== undefined && { unit }), ...(low !== undefined && { low }) },
    ...(of !== undefined && {
      of: ({ at }, player) => watchCall('environment', id, () => callIsolated(of, at, player)),
    }),
  };
}

/** Wraps the functions of a whole environment. */
function wrapEnvironment<S>(
  declared: Omit<EnvironmentDefinition<S>, 'kernel'>,
  id: string,
): EnvironmentDefinition<BattleState<S>> {
  const features = declared.features.map((feature) => wrapFeature(feature, id));
  // The other members do not use states.
  const whole = { ...declared, features } as unknown as EnvironmentDefinition<BattleState<S>>;
  const observe = declared.observe?.bind(declared);
  if (observe === undefined) return whole;
  return {
    ...whole,
    observe: ({ at }, player) => watchCall('environment', id, () => callIsolated(observe, at, player)),
  };
}

/**
 * Defines a custom battle system. The result is the default export of a module for `--systems` and `loadSystems`, or is
 * passed to readers of scenarios as `{ systems: [system] }`.
 * @throws InputError if the definition is incomplete
 */
export function defineSystem<F extends z.ZodRawShape, S>(definition: SystemDefinition<F, S>): System<ScenarioOf<F>> {
  checkDefinition(definition as unknown as SystemDefinition<z.ZodRawShape, never>);
  const { id, title, about, battle, rules = {}, decisions = [], environment, counts, costs } = definition;
  const catalogue = Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, createRule(rule, name)]));
  return {
    ...{ id, title, about, decisions },
    schema: createSchema(definition),
    rules: { round: ROUND, ...catalogue },
    examples: Object.entries(definition.examples ?? {}).map(([name, fields]) => ({
      name,
      scenario: { system: id, name, ...(fields as object) },
    })),
    ...(counts && { counts }),
    ...(costs && { costs }),
    ...(environment && {
      environment(scenario: ScenarioOf<F>) {
        const declared = watchCall('environment', id, () => callIsolated(environment, scenario, undefined));
        checkEnvironment(id, declared);
        return wrapEnvironment(declared, id);
      },
    }),
    model(scenario: ScenarioOf<F> & Scenario): Model<State> {
      const rulesOf = watchCall('battle', id, () => callIsolated(battle, scenario, undefined));
      checkBattle(id, rulesOf);
      const points = decisions.map(({ point }) => point);
      return watchModel(createModel(rulesOf, scenario.maxRounds, points), id);
    },
  };
}
