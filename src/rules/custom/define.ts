/** Checks what authors declare, member by member: one that nobody reads would be ignored, one that is missing fails later. */

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

/** What a member has to be. */
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
 * Refuses an object that lacks a member, has one of another kind, or one that is not known.
 * @param place   as messages name it: `defineSystem my-duel`
 * @param members all that it can have
 * @throws InputError
 */
function checkMembers(place: string, value: unknown, members: Readonly<Record<string, MemberSpec>>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InputError(place, 'an object', describeFound(value));
  const known = Object.entries(members);
  const names = known.map(([name]) => name);
  // An object of a class may have fields of its own.
  const stranger = isMapping(value) ? Object.keys(value).find((name) => !names.includes(name)) : undefined;
  if (stranger !== undefined)
    throw new InputError(place, `members among ${names.join(', ')}`, `"${stranger}"${suggestName(stranger, names)}`);
  for (const [name, { expected, isValid, optional: mayLack }] of known) {
    const found = (value as Readonly<Record<string, unknown>>)[name];
    if (isValid(found) || (mayLack && found === undefined)) continue;
    throw new InputError(`${place} ${name}`, expected, describeFound(found));
  }
}

/** Checks each of a list or a mapping, by what it is called in messages. */
function checkEach(place: string, values: unknown, members: Readonly<Record<string, MemberSpec>>): void {
  for (const [name, value] of Object.entries({ ...(values as Readonly<Record<string, unknown>> | undefined) }))
    checkMembers(Array.isArray(values) ? `${place}[${name}]` : `${place}.${name}`, value, members);
}

// The members that declarations of systems have, and what each has to be.

type MemberSpecs<T extends object> = Readonly<Record<keyof T & string, MemberSpec>>;

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value) && value.length <= 60;

const isUnit = (value: unknown): boolean => isNumber(value) && (value as number) > 0;

/** Of `defineSystem`. */
const SYSTEM = {
  id: requiredMember('lower-case words joined by hyphens', isId),
  title: requiredMember('a non-empty string', isText),
  about: requiredMember('a non-empty string', isText),
  fields: requiredMember('the fields of a scenario: { lives: integer(1, 20, ...) }', isObject),
  check: optionalMember('a function', isFunction),
  battle: requiredMember('a function that gives the rules of a scenario', isFunction),
  rules: optionalMember('sentences of replays by the names of rules', isObject),
  counts: optionalMember('texts by the first part of the names of metrics', isObject),
  costs: optionalMember('prices by what is counted: { tank: 6 }', isPriceRecord),
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
function checkEnvironment(system: string, environment: Omit<EnvironmentDefinition<never>, 'kernel'>): void {
  checkMembers(`${system}: environment`, environment, ENVIRONMENT);
  checkEach(`${system}: environment.features`, environment.features, FEATURE);
}

// `defineSystem`: from what an author tells to a system.

/** Refuses a scenario: the path to the field, what would have been accepted, and what was there. */
export type Reject = (path: readonly (string | number)[], expected: string, found?: string) => void;

/** What every scenario of a system has besides its own fields. */
export interface CommonFields {
  readonly system: string;
  readonly name?: string | undefined;
  /** A battle that is not over after so many rounds is a stalemate, or what its `atRoundLimit` says. */
  readonly maxRounds: number;
}

/** A complete scenario by its fields. */
export type ScenarioOf<F extends z.ZodRawShape> = CommonFields & z.output<z.ZodObject<F>>;

/** A rule: how a replay tells that it applied, and where it comes from. */
export type RuleDefinition = Rule['describe'] | { readonly describe: Rule['describe']; readonly source?: string };

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
  readonly check?: (scenario: ScenarioOf<F>, refuse: Reject) => void;
  /** The rules of one scenario. */
  readonly battle: (scenario: ScenarioOf<F>) => Battle<S>;
  /** Rules by id, as `chance.rule` names them; `round` is there unless given. */
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

/** A feature over the states of a battle, which models wrap. */
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

/** The same of a whole declaration. */
function wrapEnvironment<S>(
  declared: Omit<EnvironmentDefinition<S>, 'kernel'>,
  id: string,
): EnvironmentDefinition<BattleState<S>> {
  const features = declared.features.map((feature) => wrapFeature(feature, id));
  // All else has nothing to do with states.
  const whole = { ...declared, features } as unknown as EnvironmentDefinition<BattleState<S>>;
  const observe = declared.observe?.bind(declared);
  if (observe === undefined) return whole;
  return {
    ...whole,
    observe: ({ at }, player) => watchCall('environment', id, () => callIsolated(observe, at, player)),
  };
}

/**
 * A battle system of one's own. What it returns is what a module exports by default for `--systems` and `loadSystems`,
 * and what readers of scenarios take as `{ systems: [system] }`.
 * @throws InputError if the definition is not complete
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
