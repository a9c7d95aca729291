/** `defineSystem`: from what an author tells to a system. */
import { z } from 'zod';
import { InputError } from '../../core/errors.ts';
import { watchedCall, watchedModel } from '../calls.ts';
import { ALWAYS, across, maxRounds, refuse, scenarioName } from '../fields.ts';
import type { DeclaredFeature, Rollout } from '../rollout.ts';
import { apart } from '../surroundings.ts';
import type { Decision, Example, Model, Rule, Scenario, State, System } from '../system.ts';
import { type Battle, type BattleState, modelOf } from './battle.ts';
import { checkBattle, checkRollout, checkSystem } from './declared.ts';

/** Refuses a scenario: the path to the field, what would have been accepted, and what was there. */
export type Refuse = (path: readonly (string | number)[], expected: string, found?: string) => void;

/** What every scenario of a system has besides its own fields. */
export interface CommonFields {
  readonly system: string;
  readonly name?: string | undefined;
  /** A battle that is not over after so many rounds is a stalemate. */
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
  /** Points at which players decide. */
  readonly decisions?: readonly Decision[];
  /** Small scenarios: their fields, by name. */
  readonly examples?: Readonly<Record<string, z.input<z.ZodObject<F>> & { readonly maxRounds?: number }>>;
  /** The system as an environment for agents. */
  readonly rollout?: (scenario: ScenarioOf<F>) => Omit<Rollout<S>, 'kernel'>;
}

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
  const schema = z.strictObject({ ...common, maxRounds, ...fields });
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

function examplesOf({ id, examples = {} }: Pick<SystemDefinition<z.ZodRawShape, never>, 'id' | 'examples'>): Example[] {
  return Object.entries(examples).map(([name, fields]) => ({ name, scenario: { system: id, name, ...fields } }));
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
  const { id, title, about, battle, rules = {}, decisions = [], rollout, counts } = definition;
  const catalogue = Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, ruleOf(rule, name)]));
  return {
    ...{ id, title, about, decisions },
    schema: schemaOf(definition),
    rules: { round: ROUND, ...catalogue },
    examples: examplesOf(definition),
    ...(counts && { counts }),
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
      return watchedModel(modelOf(rulesOf, scenario.maxRounds), id);
    },
  };
}
