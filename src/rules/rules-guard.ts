/** Calls of rules of one's own, so that a thread that looks after this one sees which of them does not end. */

import { beginCall, endCall } from '#platform/heartbeat';
import { BudgetError, InputError, RulesError, RunError } from '../core/index.ts';
import type { RulesCallKind } from '../core/platform/rules-call.ts';
import type { SystemModule } from './registry.ts';
import type { Model, Scenario, State } from './system.ts';

/** Calls something of a system of one's own. */
export function watchCall<T>(kind: RulesCallKind, whose: string, act: () => T): T {
  beginCall(kind, whose);
  try {
    return act();
  } finally {
    endCall();
  }
}

/** Takes the round that a state belongs to, and its phase, from 0 on. */
function getRoundAndPhase(state: State): readonly [round: number, phase: number] {
  const { round, phase = 0 } = state as State & { readonly phase?: number };
  return [phase === 0 ? round + 1 : round, phase];
}

const watchedModels = new WeakSet<object>();

/** A model of a system of one's own, each of whose calls can be seen by another thread. */
export function watchModel<S extends State>(model: Model<S>, whose: string): Model<S> {
  if (watchedModels.has(model)) return model;
  const seen: Model<S> = {
    ...model,
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
    outcome: (state) => watchCall('outcome', whose, () => model.outcome(state)),
    measure: (state) => watchCall('measure', whose, () => model.measure(state)),
    key: (state) => watchCall('key', whose, () => model.key(state)),
  };
  watchedModels.add(seen);
  return seen;
}

// Keeps rules from asking what is no part of a battle: chance that is not the chance source's, clocks, the environment. While rules
// run, functions that know such things fail; whoever else calls them, in between or afterwards, notices nothing.
//
// What stands in the place of these functions is put there when rules are first called in a turn of the event loop, and taken
// away when the turn ends: a call of rules itself costs no more than a flag.

/** Rules have asked for what a battle does not have. */
export class AmbientAccessError extends RulesError {
  /** What was asked: `Math.random`. */
  readonly asked: string;

  constructor(asked: string, advice: string) {
    super(`the rules call ${asked}: ${advice}`);
    this.asked = asked;
  }
}

/** Whether an error is one of these, of whichever copy of the package. */
export const isAmbientAccess = (error: unknown): error is AmbientAccessError =>
  error instanceof RulesError && 'asked' in error;

const CHANCE =
  'random values come only from the chance source, such as chance.sample(d(6)), chance.roll(2, 6), chance.pick([1, 1])';
const CLOCK = 'rules have no clock; count rounds in the state';
const ENVIRONMENT = 'declare settings of the rules as fields of the scenario';

/** What stands in the place of a property while rules may run. */
interface GlobalReplacement {
  put(): void;
  take(): void;
}

interface AmbientState {
  /** Whether rules are running. */
  inside: boolean;
  /** Whether the replacements are in their places. */
  armed: boolean;
  /** Made where rules are called for the first time. */
  all: readonly GlobalReplacement[] | undefined;
}

/** One for all copies of the package in a program: each would replace what another has put, and leave it there. */
const SHARED = Symbol.for('warpool.surroundings.1');
const shared = globalThis as unknown as Record<symbol, AmbientState | undefined>;
const state: AmbientState = shared[SHARED] ?? { inside: false, armed: false, all: undefined };
shared[SHARED] = state;

type ReplacedFunction = (...args: never) => unknown;

/** Begins the stack of an error below a function; where an engine has none, it begins with two of this file. */
const { captureStackTrace } = Error as { readonly captureStackTrace?: (error: Error, below: ReplacedFunction) => void };

/** Node asks its own functions too, such as the environment for the colours of what `console.log` prints. */
const isOfNode = (line: string | undefined): boolean => line?.includes('node:') === true;

/** @param replaced what was called: who called it comes first in the stack, whichever copy of the package has put it there */
function rejectAccess(asked: string, advice: string, replaced: ReplacedFunction): void {
  if (!state.inside) return;
  const error = new AmbientAccessError(asked, advice);
  captureStackTrace?.(error, replaced);
  const caller = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))[captureStackTrace ? 0 : 2];
  if (!isOfNode(caller)) throw error;
}

/**
 * Values change by assignment: with another descriptor engines would give up what they know of `Math` and its like.
 * @param make what stands in the place of a value; made anew where somebody else has replaced it
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
      // Whoever has replaced it meanwhile keeps what was put there.
      if (known !== undefined && of[name] === value) of[name] = known;
    },
  };
}

/** A function that fails while rules run. */
function guardFunction<F>(known: F, asked: string, advice: string): F {
  function refusing(this: unknown, ...args: unknown[]): unknown {
    rejectAccess(asked, advice, refusing);
    return Reflect.apply(known as () => unknown, this, args);
  }
  return refusing as F;
}

const guardMethod = <T extends object>(
  of: T,
  name: keyof T & string,
  asked: string,
  advice: string,
): GlobalReplacement => createReplacement(of, name, (known) => guardFunction(known, asked, advice));

/** The constructor of dates: one of a given time is no look at the clock. */
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

/** Modules of Node by their names, where there are some; in older versions of Node they cannot be had without waiting. */
type BuiltinLoader = (name: string) => object | undefined;

/** What rules could ask of Node. */
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
  const asked = (name: string | symbol, how: ReplacedFunction): void => {
    rejectAccess(`process.env${typeof name === 'string' ? `.${name}` : ''}`, ENVIRONMENT, how);
  };
  return new Proxy(known, {
    get: function get(env, name): unknown {
      asked(name, get);
      return Reflect.get(env, name) as unknown;
    },
    has: function has(env, name): boolean {
      asked(name, has);
      return Reflect.has(env, name);
    },
    // Without this the environment would be asked to define a property of the proxy, which it refuses.
    set: (env, name, value) => Reflect.set(env, name, value),
  });
}

/** Functions of `node:crypto` that give chance. */
const NODE_CHANCE = ['randomInt', 'randomBytes', 'randomUUID', 'randomFillSync'] as const;

type NodeCrypto = Record<(typeof NODE_CHANCE)[number], () => unknown>;

/** Replaces functions of `node:crypto` for good: what modules have imported by name changes with them once. */
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

/** Calls a function of the rules. @throws RulesError if it asks for chance, a clock or the environment */
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

// What code of a user has thrown, as people read it: it may be anything, and asking it may throw again.

/** The stack of an error; empty if there is none. */
export function getStack(error: unknown): string {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === 'string' ? stack : '';
  } catch {
    return '';
  }
}

/** What is no error, in a few words. */
function describeThrownValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** The name and message of an error, or what was thrown in its place. Never throws. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof RulesError) return error.message;
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    return `${describeThrownValue(error)} was thrown, which is not an Error and has no line`;
  } catch {
    return 'an error that throws when it is read';
  }
}

/** The message of an error, or what was thrown in its place. Never throws. */
export function getErrorMessage(error: unknown): string {
  try {
    if (error instanceof Error) return error.message;
  } catch {
    return describeThrown(error);
  }
  return typeof error === 'string' ? error : describeThrown(error);
}

/** A line of a stack that is of a file, not of Node: `file:///duel.js:3:7`. */
const FRAME = /(?:file:\/\/|(?<![\w:/]))(\/[^\s()]+:\d+(?::\d+)?|[A-Za-z]:\\[^\s()]+:\d+(?::\d+)?)\)?$/;

const OWN_FILES = /\/dist\/(?:library|program|threads|src)\//;

/** The first line of a stack that is of the author; of a package only if there is no other. */
export function findAuthorFrame(error: unknown): string | undefined {
  const lines = getStack(error)
    .split('\n')
    .filter((line) => !OWN_FILES.test(line));
  const places = lines.flatMap((line) => FRAME.exec(line.trim())?.[1] ?? []);
  return places.find((place) => !place.includes('/node_modules/')) ?? places[0];
}

/** What was thrown, with the line of its author if there is one. */
export function describeThrownAt(error: unknown): string {
  const place = findAuthorFrame(error);
  return `${describeThrown(error)}${place === undefined ? '' : ` (${place})`}`;
}

// Errors of the rules of users, told with the system, the scenario and the line of their author.

/** Whose rules they are. */
interface RulesOrigin {
  readonly system: { readonly id: string };
  readonly scenario: Scenario;
  readonly module: SystemModule | undefined;
  readonly isCustom: boolean;
}

/** Errors that say nothing of the rules. */
const OWN_ERRORS = [BudgetError, InputError, RunError];

/** Errors that were told. */
const reportedErrors = new WeakSet<Error>();

/** The first line of a stack that lies in the code of the author. */
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
 * An error of the rules, told with the system and the scenario; others as they are.
 * @param battle what to play again: ` in battle 17 of seed 42`
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

/** Throws an error of the rules as `toldRules` tells it. */
export function createRulesErrorHandler(open: RulesOrigin): (error: unknown) => never {
  return (error) => {
    throw describeRulesError(error, open);
  };
}
