/** Marks calls of custom rules, so that a monitoring thread detects calls that do not end. */

import { beginCall, endCall } from '#platform/heartbeat';
import { BudgetError, InputError, RulesError, RunError } from '../core/index.ts';
import type { RulesCallKind } from '../core/platform/rules-call.ts';
import type { SystemModule } from './registry.ts';
import type { Model, Scenario, State } from './system.ts';

/** Calls a function of a custom system. */
export function watchCall<T>(kind: RulesCallKind, whose: string, act: () => T): T {
  beginCall(kind, whose);
  try {
    return act();
  } finally {
    endCall();
  }
}

/** Returns the round of a state, and its phase, from 0 on. */
function getRoundAndPhase(state: State): readonly [round: number, phase: number] {
  const { round, phase = 0 } = state as State & { readonly phase?: number };
  return [phase === 0 ? round + 1 : round, phase];
}

/** Marks the models of all copies of the package: a second wrapper would double the cost. */
const WATCHED = Symbol.for('warpool.watched.1');

/** Wraps the model of a custom system so that another thread can monitor its calls. */
export function watchModel<S extends State>(model: Model<S>, whose: string): Model<S> {
  if (WATCHED in model) return model;
  const seen: Model<S> = {
    ...model,
    ...{ [WATCHED]: true },
    start: (chance) => watchCall('start', whose, () => model.start(chance)),
    step(state, chance) {
      const [round, phase] = getRoundAndPhase(state);
      beginCall('step', whose, round, phase);
      try {
        return model.step(state, chance);
      } finally {
        endCall();
      }
    },
    outcome(state) {
      beginCall('outcome', whose);
      try {
        return model.outcome(state);
      } finally {
        endCall();
      }
    },
    measure: (state) => watchCall('measure', whose, () => model.measure(state)),
    key: (state) => watchCall('key', whose, () => model.key(state)),
  };
  return seen;
}

// Prevents rules from using random values, clocks and the environment, which are not part of a battle. While rules run,
// these functions throw; other callers, during and after that, are not affected.
//
// The replacements of these functions are installed when rules are first called in a turn of the event loop, and
// removed when the turn ends: a call of rules only sets a flag.

/** Rules have called a function that is not part of a battle. */
export class AmbientAccessError extends RulesError {
  /** Name of the function: `Math.random`. */
  readonly requested: string;

  constructor(requested: string, advice: string) {
    super(`the rules call ${requested}: ${advice}`);
    this.requested = requested;
  }
}

/** Returns true for these errors, of any copy of the package. */
export const isAmbientAccess = (error: unknown): error is AmbientAccessError =>
  error instanceof RulesError && 'requested' in error;

const CHANCE =
  'random values come only from the chance source, such as chance.sample(d(6)), chance.roll(2, 6), chance.pick([1, 1])';
const CLOCK = 'rules have no clock; count rounds in the state';
const ENVIRONMENT = 'declare settings of the rules as fields of the scenario';

/** Replacement of a property while rules may run. */
interface GlobalReplacement {
  put(): void;
  take(): void;
}

interface AmbientState {
  /** True while rules run. */
  inside: boolean;
  /** True while the replacements are installed. */
  armed: boolean;
  /** Created at the first call of rules. */
  all: readonly GlobalReplacement[] | undefined;
}

/**
 * One for all copies of the package in a process: otherwise each would replace the functions of another, and leave
 * them.
 */
const SHARED = Symbol.for('warpool.surroundings.1');
const shared = globalThis as unknown as Record<symbol, AmbientState | undefined>;
const state: AmbientState = shared[SHARED] ?? { inside: false, armed: false, all: undefined };
shared[SHARED] = state;

type ReplacedFunction = (...args: never) => unknown;

/**
 * Starts the stack of an error below a function; on engines without this feature, the stack starts with two lines of
 * this file.
 */
const { captureStackTrace } = Error as { readonly captureStackTrace?: (error: Error, below: ReplacedFunction) => void };

/**
 * Returns true for stack lines of Node, which calls its own functions too, such as the environment for the colors of
 * `console.log`.
 */
const isOfNode = (line: string | undefined): boolean => line?.includes('node:') === true;

/** @param replaced the called function: its caller comes first in the stack, for any copy of the package */
function rejectAccess(requested: string, advice: string, replaced: ReplacedFunction): void {
  if (!state.inside) return;
  const error = new AmbientAccessError(requested, advice);
  captureStackTrace?.(error, replaced);
  const caller = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))[captureStackTrace ? 0 : 2];
  if (!isOfNode(caller)) throw error;
}

/**
 * Creates a replacement. Values change by assignment: another descriptor would disable optimizations of `Math` and
 * similar objects.
 * @param make creates the replacement of a value, again if other code has changed it
 */
function createReplacement<T extends object, K extends keyof T>(
  of: T,
  name: K,
  make: (known: T[K]) => T[K],
): GlobalReplacement {
  let known: T[K] | undefined;
  let value: T[K] | undefined;
  return {
    put() {
      if (value === undefined || of[name] !== known) {
        known = of[name];
        value = make(known);
      }
      of[name] = value;
    },
    take() {
      // Changes by other code are preserved.
      if (known !== undefined && of[name] === value) of[name] = known;
    },
  };
}

/** Wraps a function so that it throws while rules run. */
function guardFunction<F>(known: F, requested: string, advice: string): F {
  function refusing(this: unknown, ...args: unknown[]): unknown {
    rejectAccess(requested, advice, refusing);
    return Reflect.apply(known as () => unknown, this, args);
  }
  return refusing as F;
}

const guardMethod = <T extends object>(
  of: T,
  name: keyof T & string,
  requested: string,
  advice: string,
): GlobalReplacement => createReplacement(of, name, (known) => guardFunction(known, requested, advice));

/** Replaces the constructor of dates, except for a given time. */
function guardDate(known: DateConstructor): DateConstructor {
  const now = guardFunction(known.now, 'Date.now', CLOCK);
  return new Proxy(known, {
    get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
    construct: function construct(date, args: unknown[], made): object {
      if (args.length === 0) rejectAccess('new Date', CLOCK, construct);
      return Reflect.construct(date, args, made) as object;
    },
    apply: function apply(date): string {
      rejectAccess('Date', CLOCK, apply);
      return date();
    },
  });
}

/** Loads a module of Node by name; older versions of Node cannot do this synchronously. */
type BuiltinLoader = (name: string) => object | undefined;

/** Functions of Node that rules could call. */
interface NodeProcess {
  env: Readonly<Record<string, string | undefined>>;
  hrtime?: (() => unknown) & { bigint: () => bigint };
  readonly getBuiltinModule?: BuiltinLoader;
}

function guardHrtime(known: NodeProcess['hrtime']): NodeProcess['hrtime'] {
  if (known === undefined) return known;
  const bigint = guardFunction(known.bigint, 'process.hrtime.bigint', CLOCK);
  return Object.assign(guardFunction(known, 'process.hrtime', CLOCK), { bigint });
}

function guardEnvironment(known: NodeProcess['env']): NodeProcess['env'] {
  const requested = (name: string | symbol, how: ReplacedFunction): void => {
    rejectAccess(`process.env${typeof name === 'string' ? `.${name}` : ''}`, ENVIRONMENT, how);
  };
  return new Proxy(known, {
    get: function get(env, name): unknown {
      requested(name, get);
      return Reflect.get(env, name) as unknown;
    },
    has: function has(env, name): boolean {
      requested(name, has);
      return Reflect.has(env, name);
    },
    // Otherwise the environment would define a property on the proxy, which it rejects.
    set: (env, name, value) => Reflect.set(env, name, value),
  });
}

/** Functions of `node:crypto` that return random values. */
const NODE_CHANCE = ['randomInt', 'randomBytes', 'randomUUID', 'randomFillSync'] as const;

type NodeCrypto = Record<(typeof NODE_CHANCE)[number], () => unknown>;

/** Replaces functions of `node:crypto` permanently: named imports of modules change with them only once. */
function guardCrypto(builtin: BuiltinLoader): void {
  const crypto = builtin('node:crypto') as NodeCrypto | undefined;
  const modules = builtin('node:module') as { syncBuiltinESMExports(): void } | undefined;
  if (crypto === undefined) return;
  for (const name of NODE_CHANCE) guardMethod(crypto, name, `crypto.${name}`, CHANCE).put();
  modules?.syncBuiltinESMExports();
}

function createReplacements(): GlobalReplacement[] {
  const { process: node, crypto } = globalThis as { process?: NodeProcess; crypto?: Crypto };
  if (node?.getBuiltinModule !== undefined) guardCrypto(node.getBuiltinModule);
  return [
    guardMethod(Math, 'random', 'Math.random', CHANCE),
    createReplacement(globalThis, 'Date', guardDate),
    guardMethod(performance, 'now', 'performance.now', CLOCK),
    ...(crypto === undefined
      ? []
      : [
          guardMethod(crypto, 'getRandomValues', 'crypto.getRandomValues', CHANCE),
          ...(typeof crypto.randomUUID === 'function'
            ? [guardMethod(crypto, 'randomUUID', 'crypto.randomUUID', CHANCE)]
            : []),
        ]),
    ...(node?.env === undefined ? [] : [createReplacement(node, 'env', guardEnvironment)]),
    ...(node?.hrtime === undefined ? [] : [createReplacement(node, 'hrtime', guardHrtime)]),
  ];
}

function disarm(): void {
  for (const each of state.all ?? []) each.take();
  state.armed = false;
}

function arm(): void {
  state.all ??= createReplacements();
  for (const each of state.all) each.put();
  state.armed = true;
  queueMicrotask(disarm);
}

/** Calls a function of the rules. @throws RulesError if it uses random values, a clock or the environment */
export function callIsolated<A, B, C, R>(rules: (a: A, b: B, c?: C) => R, a: A, b: B, c?: C): R {
  if (!state.armed) arm();
  const before = state.inside;
  state.inside = true;
  try {
    return rules(a, b, c);
  } finally {
    state.inside = before;
  }
}

// Formats values that user code has thrown: they may be anything, and reading them may throw again.

/** Returns the stack of an error; empty if there is none. */
export function getStack(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

/** Describes a thrown value that is not an error. */
function describeThrownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** Returns the name and message of an error, or a description of another thrown value. Never throws. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof RulesError) return error.message;
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    return `${describeThrownValue(error)} was thrown, which is not an Error and has no line`;
  } catch {
    return 'an error that throws when it is read';
  }
}

/** Returns the message of an error, or a description of another thrown value. Never throws. */
export function getErrorMessage(error: unknown): string {
  try {
    if (error instanceof Error) return error.message;
  } catch {
    return describeThrown(error);
  }
  return typeof error === 'string' ? error : describeThrown(error);
}

/** A line of a stack in a file, not in Node: `file:///duel.js:3:7`. */
const FRAME = /(?:file:\/\/|(?<![\w:/]))(\/[^\s()]+:\d+(?::\d+)?|[A-Za-z]:\\[^\s()]+:\d+(?::\d+)?)\)?$/;

const OWN_FILES = /\/dist\/(?:library|program|threads|src)\//;

/** Finds the first line of a stack in the code of the author; in a package only if there is no other. */
export function findAuthorFrame(error: unknown): string | undefined {
  const lines = getStack(error)
    .split('\n')
    .filter((line) => !OWN_FILES.test(line));
  const places = lines.flatMap((line) => FRAME.exec(line.trim())?.[1] ?? []);
  return places.find((place) => !place.includes('/node_modules/')) ?? places[0];
}

/** Returns the description of a thrown value, with the line of its author if there is one. */
export function describeThrownAt(error: unknown): string {
  const place = findAuthorFrame(error);
  return `${describeThrown(error)}${place === undefined ? '' : ` (${place})`}`;
}

// Adds the system, the scenario and the line of the author to errors of custom rules.

/** System and scenario of the rules. */
interface RulesOrigin {
  readonly system: { readonly id: string };
  readonly scenario: Scenario;
  readonly module: SystemModule | undefined;
  readonly isCustom: boolean;
}

/** Errors that are not caused by the rules. */
const OWN_ERRORS = [BudgetError, InputError, RunError];

/** Errors with a description. */
const reportedErrors = new WeakSet<Error>();

/** Returns the first line of a stack in the code of the author. */
function findAuthorLine(error: unknown, url: string | undefined): string {
  if (url === undefined) return '';
  const path = url.replace(/^file:\/\//, '');
  const line = getStack(error)
    .split('\n')
    .find((each) => each.includes(path));
  const [place] = /[^/\s(]+:\d+:\d+/.exec(line ?? '') ?? [];
  return place === undefined ? '' : ` at ${place}`;
}

/**
 * Adds the system and the scenario to an error of the rules; other errors stay unchanged.
 * @param battle the battle to replay: ` in battle 17 of seed 42`
 */
export function describeRulesError(
  error: unknown,
  { system, module, scenario, isCustom }: RulesOrigin,
  battle = '',
): unknown {
  if (!isCustom || OWN_ERRORS.some((known) => error instanceof known) || reportedErrors.has(error as Error))
    return error;
  const name = scenario.name === undefined ? '' : ` (scenario "${scenario.name}")`;
  const message = `${system.id}: ${describeThrown(error)}${findAuthorLine(error, module?.url)}${battle}${name}`;
  const whole = new RulesError(message, { cause: error });
  reportedErrors.add(whole);
  return whole;
}

/** Creates a handler that throws errors of the rules by `describeRulesError`. */
export function createRulesErrorHandler(open: RulesOrigin): (error: unknown) => never {
  return (error) => {
    throw describeRulesError(error, open);
  };
}
