/** A scenario with the rules that it is played by. It is opened where it is read; from then on nobody looks up its system. */

import { InputError, RulesError, RunError, Sampled, Stream } from '../core/index.ts';
import { type BattleResult, playBattle } from './battle.ts';
import { isGame } from './games.ts';
import { toldRules, watchedCall, watchedModel } from './guard.ts';
import { SHIPPED } from './known-systems.ts';
import type { Registry, SystemModule } from './registry.ts';
import type { Model, Price, Scenario, State, System } from './system.ts';

export interface Opened {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  readonly system: System;
  /** The systems among which it was found. */
  readonly registry: Registry;
  /** Whether the system is one of a user. */
  readonly isOwn: boolean;
  /** Where the code of the system was loaded from, if it was. */
  readonly module: SystemModule | undefined;
  readonly model: Model<State>;
  /** What its counts cost; empty if nobody said. */
  readonly prices: readonly Price[];
  /** Outcomes and metrics, as they are counted. */
  readonly shape: Pick<Model<State>, 'outcomes' | 'metrics'>;
  /** The scenario as the kernel of its system reads it; undefined if the system has no kernel. */
  words(): Int32Array<ArrayBuffer> | undefined;
}

/** Scenarios that were checked. They are frozen, so what was made of them stays true. */
const known = new WeakMap<Scenario, Opened>();

class OpenedScenario implements Opened {
  readonly scenario: Scenario;
  readonly system: System;
  readonly registry: Registry;
  readonly prices: readonly Price[];
  #model: Model<State> | undefined;
  #words: Int32Array<ArrayBuffer> | undefined;

  constructor(scenario: Scenario, registry: Registry, prices: readonly Price[] = []) {
    this.scenario = scenario;
    this.prices = prices;
    this.system = registry.system(scenario.system);
    this.registry = registry;
  }

  get module(): SystemModule | undefined {
    return this.registry.moduleOf(this.system.id);
  }

  get isOwn(): boolean {
    return SHIPPED.find(this.system.id) !== this.system;
  }

  get model(): Model<State> {
    try {
      this.#model ??= this.isOwn ? this.#ownModel() : this.system.model(this.scenario);
    } catch (error) {
      throw toldRules(error, this);
    }
    return this.#model;
  }

  #ownModel(): Model<State> {
    const { id } = this.system;
    return watchedModel(
      watchedCall('battle', id, () => this.system.model(this.scenario)),
      id,
    );
  }

  get shape(): Opened['shape'] {
    const { outcomes, metrics } = this.model;
    return { outcomes, metrics };
  }

  words(): Int32Array<ArrayBuffer> | undefined {
    this.#words ??= this.system.encode?.(this.scenario);
    return this.#words;
  }
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}

/**
 * Opens a scenario that its system has accepted; it is frozen.
 * @throws InputError if no system of the registry has its name
 */
export function openScenario<S extends Scenario>(scenario: S, registry: Registry, prices?: readonly Price[]): S {
  freeze(scenario);
  known.set(scenario, new OpenedScenario(scenario, registry, prices));
  return scenario;
}

/** A scenario as it is sent to another thread, which has to load the code of its system itself. */
export interface Portable {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** Where the code of its system lies; undefined if the system is shipped. */
  readonly module: SystemModule | undefined;
}

/** @returns undefined if no other thread can load its system, which was given as a value */
export function portable(scenario: Scenario): Portable | undefined {
  const { module, isOwn } = opened(scenario);
  return isOwn && module === undefined ? undefined : { scenario, module };
}

/** Checks whether a value is a scenario that was opened in this thread. */
export const isOpened = (value: object): value is Scenario => known.has(value as Scenario);

const CHECKED = 'a scenario from loadScenario, parseScenario or validateScenario';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The path of the first field of a complete scenario that a value has otherwise; undefined if it has them all. */
function otherField(due: unknown, value: unknown, path: string): string | undefined {
  if (!isObject(due)) return Object.is(due, value) ? undefined : path;
  if (!isObject(value) || Array.isArray(value) !== Array.isArray(due)) return path;
  const names = new Set([...Object.keys(due), ...Object.keys(value)]);
  for (const name of names) {
    const other = otherField(due[name], value[name], path === '' ? name : `${path}.${name}`);
    if (other !== undefined) return other;
  }
  return undefined;
}

/** Scenarios that were made otherwise, and are complete. */
const complete = new WeakSet<Scenario>();

/** Refuses what is not complete: rules take defaults as given. @throws InputError that names a field */
function checkComplete(scenario: Scenario, { schema }: System): void {
  if (complete.has(scenario)) return;
  const { success, data, error } = schema.safeParse(scenario);
  const path = success ? otherField(data, scenario, '') : error.issues[0]?.path.map(String).join('.');
  if (path === undefined) {
    complete.add(scenario);
    return;
  }
  throw new InputError(
    'a scenario',
    CHECKED,
    `an object whose ${path === '' ? 'fields are' : `field ${path} is`} missing or wrong`,
  );
}

/**
 * What a scenario was opened as; one that was made otherwise, such as a copy, is opened with the shipped systems.
 * @throws InputError if no system has its name, or it is not complete
 */
export function opened(scenario: Scenario): Opened {
  const found = known.get(scenario);
  if (found !== undefined) return found;
  const value: unknown = scenario;
  if (!isObject(value)) throw new InputError('a scenario', CHECKED, String(value));
  const { system: name } = scenario;
  const system = SHIPPED.find(name);
  if (system === undefined) {
    const others = isGame(name) ? '' : `, or one of ${SHIPPED.names.join(', ')}`;
    throw new InputError('system', `${CHECKED}${others}`, `"${name}"`);
  }
  checkComplete(scenario, system);
  return new OpenedScenario(scenario, SHIPPED);
}

// Plays a battle of a run by the rules as written, and tells which one it was where they fail.

/**
 * Plays battle `index` of run `seed`.
 * @throws RulesError if the rules of the system fail
 */
export function playSeeded(
  open: Opened,
  seed: bigint,
  index: number,
  door = new Sampled(Stream.of(seed, index)),
): BattleResult {
  try {
    return playBattle(open.model, door);
  } catch (error) {
    throw toldRules(error, open, ` in battle ${String(index)} of seed ${String(seed)}`);
  }
}

// What is said of rules whose answers contradict each other.

const LOOK_FOR =
  'The rules are not a function of state and door. Look for a key that forgets something, a variable that a step changes, ' +
  'a state that is changed instead of returned anew; "warpool conform" looks for the cause.';

const REPORT_IT = 'That is a fault of warpool, not of the scenario; please report it.';

/** A contradiction, and what to look for. */
export function doubtText({ isOwn }: Pick<Opened, 'isOwn'>, found: string): string {
  return `${found}. ${isOwn ? LOOK_FOR : REPORT_IT}`;
}

/** The error of a contradiction: a RulesError where the rules are a user's. */
export function doubt(open: Opened, found: string): unknown {
  const text = doubtText(open, found);
  return open.isOwn ? toldRules(new RulesError(text), open) : new RunError(`${open.system.id}: ${text}`);
}
