/** Binds a scenario to the rules of its system when it is read, so that the system is looked up only once. */

import { InputError, RulesError, RunError, SampledChance, Stream } from '../core/index.ts';
import { isGame } from './games.ts';
import { type BattleEnd, playBattle } from './play-battle.ts';
import { isPolicySources } from './policy-file.ts';
import { createPolicyModel } from './policy-model.ts';
import type { SystemModule, SystemRegistry } from './registry.ts';
import { describeRulesError, watchCall, watchModel } from './rules-guard.ts';
import { createSystemSpec } from './scenario-spec.ts';
import { SHIPPED_REGISTRY } from './shipped-registry.ts';
import type { EnvironmentDefinition, Model, Price, Scenario, State, System } from './system.ts';

export interface BoundScenario {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  readonly system: System;
  /** Registry with its system. */
  readonly registry: SystemRegistry;
  /** True for a custom system. */
  readonly isCustom: boolean;
  /** Module of the system; absent if it was not loaded from one. */
  readonly module: SystemModule | undefined;
  readonly model: Model<State>;
  /** Prices of its counted fields; empty without prices. */
  readonly prices: readonly Price[];
  /** Counted outcomes and metrics. */
  readonly shape: Pick<Model<State>, 'outcomes' | 'metrics'>;
  /** Encodes the scenario for the kernel of its system; undefined if the system has no kernel. */
  encodeWords(): Int32Array<ArrayBuffer> | undefined;
}

/**
 * Returns the system of a scenario with policies from files: its kernels do not know them. @param system of the scenario
 */
function withoutKernels(system: System): System {
  const environment = (scenario: Scenario): EnvironmentDefinition<State> | undefined => {
    const { kernel: _kernel, ...declared } = system.environment?.(scenario) ?? { players: [], features: [] };
    return system.environment && declared;
  };
  return Object.create(system, { encode: { value: undefined }, environment: { value: environment } }) as System;
}

/** Cache of validated scenarios, which are frozen, so that derived values stay valid. */
const boundScenarios = new WeakMap<Scenario, BoundScenario>();

class LazyBoundScenario implements BoundScenario {
  readonly scenario: Scenario;
  readonly system: System;
  readonly registry: SystemRegistry;
  readonly prices: readonly Price[];
  readonly isCustom: boolean;
  #model: Model<State> | undefined;
  #words: Int32Array<ArrayBuffer> | undefined;

  constructor(scenario: Scenario, registry: SystemRegistry, prices: readonly Price[] = []) {
    this.scenario = scenario;
    this.prices = prices;
    const system = registry.system(scenario.system);
    this.isCustom = SHIPPED_REGISTRY.find(system.id) !== system;
    this.system = isPolicySources(scenario.policies) ? withoutKernels(system) : system;
    this.registry = registry;
  }

  get module(): SystemModule | undefined {
    return this.registry.moduleOf(this.system.id);
  }

  get model(): Model<State> {
    try {
      this.#model ??= this.#createModel();
    } catch (error) {
      throw describeRulesError(error, this);
    }
    return this.#model;
  }

  #createModel(): Model<State> {
    const { isCustom, scenario, system } = this;
    const model = isCustom ? this.#ownModel() : system.model(scenario);
    const { policies } = scenario;
    if (!isPolicySources(policies)) return model;
    return createPolicyModel(model, createSystemSpec(system, scenario), system.id, policies);
  }

  #ownModel(): Model<State> {
    const { id } = this.system;
    return watchModel(
      watchCall('battle', id, () => this.system.model(this.scenario)),
      id,
    );
  }

  get shape(): BoundScenario['shape'] {
    const { outcomes, metrics } = this.model;
    return { outcomes, metrics };
  }

  encodeWords(): Int32Array<ArrayBuffer> | undefined {
    this.#words ??= this.system.encode?.(this.scenario);
    return this.#words;
  }
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
}

/**
 * Binds a scenario that its system has accepted; it is frozen.
 * @throws InputError if no system of the registry has its name
 */
export function bindScenario<S extends Scenario>(scenario: S, registry: SystemRegistry, prices?: readonly Price[]): S {
  deepFreeze(scenario);
  boundScenarios.set(scenario, new LazyBoundScenario(scenario, registry, prices));
  return scenario;
}

/** A scenario for another thread, which must load its system. */
export interface PortableScenario {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** Module of its system; undefined if the system is shipped. */
  readonly module: SystemModule | undefined;
}

/** @returns undefined if its system was passed as a value, which other threads cannot load */
export function toPortable(scenario: Scenario): PortableScenario | undefined {
  const { module, isCustom } = getBoundScenario(scenario);
  return isCustom && module === undefined ? undefined : { scenario, module };
}

/** Returns true for a scenario that was bound in this thread. */
export const isBound = (value: object): value is Scenario => boundScenarios.has(value as Scenario);

const CHECKED = 'a scenario from loadScenario, parseScenario or validateScenario';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Finds the path of the first field of a complete scenario that differs in a value; undefined if there is none. */
function findDifferingField(due: unknown, value: unknown, path: string): string | undefined {
  if (!isObject(due)) return Object.is(due, value) ? undefined : path;
  if (!isObject(value) || Array.isArray(value) !== Array.isArray(due)) return path;
  const names = new Set([...Object.keys(due), ...Object.keys(value)]);
  for (const name of names) {
    const other = findDifferingField(due[name], value[name], path === '' ? name : `${path}.${name}`);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** Complete scenarios from other sources. */
const completeScenarios = new WeakSet<Scenario>();

/** Rejects incomplete scenarios: rules rely on defaults. @throws InputError that names a field */
function checkComplete(scenario: Scenario, { schema }: System): void {
  if (completeScenarios.has(scenario)) return;
  const { policies, ...others } = scenario;
  const fields: Scenario = isPolicySources(policies) ? others : scenario;
  const { success, data, error } = schema.safeParse(fields);
  const path = success ? findDifferingField(data, fields, '') : error.issues[0]?.path.map(String).join('.');
  if (path === undefined) {
    completeScenarios.add(scenario);
    return;
  }
  throw new InputError(
    'a scenario',
    CHECKED,
    `an object whose ${path === '' ? 'fields are' : `field ${path} is`} missing or wrong`,
  );
}

/**
 * Returns the bound form of a scenario; others, such as copies, are bound to the shipped systems.
 * @throws InputError if no system has its name, or it is incomplete
 */
export function getBoundScenario(scenario: Scenario): BoundScenario {
  const found = boundScenarios.get(scenario);
  if (found !== undefined) return found;
  const value: unknown = scenario;
  if (!isObject(value)) throw new InputError('a scenario', CHECKED, String(value));
  const { system: name } = scenario;
  const system = SHIPPED_REGISTRY.find(name);
  if (system === undefined) {
    const others = isGame(name) ? '' : `, or one of ${SHIPPED_REGISTRY.names.join(', ')}`;
    throw new InputError('system', `${CHECKED}${others}`, `"${name}"`);
  }
  checkComplete(scenario, system);
  return new LazyBoundScenario(scenario, SHIPPED_REGISTRY);
}

// Simulates a battle of a run with the reference engine; errors identify the battle.

/**
 * Simulates battle `index` of run `seed`.
 * @throws RulesError if the rules of the system fail
 */
export function playSeededBattle(
  open: BoundScenario,
  seed: bigint,
  index: number,
  chance = new SampledChance(Stream.forBattle(seed, index)),
): BattleEnd {
  try {
    return playBattle(open.model, chance);
  } catch (error) {
    throw describeRulesError(error, open, ` in battle ${String(index)} of seed ${String(seed)}`);
  }
}

// Advice for rules with contradictory results.

const LOOK_FOR =
  'The rules depend on more than state and chance. Possible causes: an incomplete key, a variable that a step changes, ' +
  'a state that is changed in place; "warpool conform" looks for the cause.';

const REPORT_IT = 'This is a bug in warpool, not in the scenario; please report it.';

/** Formats a contradiction with advice. */
export function formatContradiction({ isCustom }: Pick<BoundScenario, 'isCustom'>, found: string): string {
  return `${found}. ${isCustom ? LOOK_FOR : REPORT_IT}`;
}

/** Creates the error of a contradiction: a RulesError for custom rules. */
export function createContradictionError(open: BoundScenario, found: string): unknown {
  const text = formatContradiction(open, found);
  return open.isCustom ? describeRulesError(new RulesError(text), open) : new RunError(`${open.system.id}: ${text}`);
}
