import type { BoundScenario } from '../rules/index.ts';

/** How much work the kit does for a scenario. It is counted, not timed: the same call finds the same. */
interface CheckEffort {
  /** Battles that are played by the rules as written. */
  readonly battles: number;
  /** Steps that these battles may take, all together. */
  readonly steps: number;
  /** Ways of a step that are explored. */
  readonly ways: number;
  /** Battles that are compared with the exact answer. */
  readonly compared: number;
  /** Steps that an automaton may take. */
  readonly compiled: number;
}

export const FULL: CheckEffort = { battles: 200, steps: 40_000, ways: 60_000, compared: 50_000, compiled: 60_000 };

/** Also for scenarios that are made from the schema. */
export const QUICK: CheckEffort = { battles: 30, steps: 6000, ways: 6000, compared: 4000, compiled: 6000 };

// What the test kit says of a system.

/** What a check says of one scenario. */
export interface Finding {
  /** The id of the check. */
  readonly check: string;
  /** What the scenario is called; empty where the system as a whole is meant. */
  readonly scenario: string;
  /** False if something is wrong. */
  readonly ok: boolean;
  /** False if it was not looked at, or not at all of it: the message says why. */
  readonly checked: boolean;
  /** The system does not have what the check looks at. */
  readonly absent?: true;
  /** What is wrong, or worth to know; empty where all is well. */
  readonly message: string;
  /** What follows from it and what helps; where nothing is wrong, of a hint alone. */
  readonly advice: string;
  /** The battle that shows it: `replay(scenario, battle)`. */
  readonly battle?: { readonly seed: string; readonly battle: number };
  /** The scenario, as a file would hold it. */
  readonly input?: unknown;
}

/** What a check found. */
export interface CheckMessage {
  /** True of a note. */
  readonly ok?: boolean;
  /** False if it could not be looked at. */
  readonly checked?: boolean;
  /** The system does not have what the check looks at. */
  readonly absent?: true;
  readonly message: string;
  readonly advice?: string;
  /** Index of the battle that shows it. */
  readonly battle?: number;
}

/** A scenario that is checked. */
export interface CheckedScenario {
  readonly label: string;
  /** As a file would hold it. */
  readonly input: unknown;
  /** Made from the schema: it may be one that nobody would play. */
  readonly generated: boolean;
  readonly open: BoundScenario;
  readonly seed: bigint;
  readonly effort: CheckEffort;
  /** What came in any scenario of the system. */
  readonly seen: ObservedNames;
}

/** Names that came in some battle of some scenario. */
export interface ObservedNames {
  readonly outcomes: Set<string>;
  readonly rules: Set<string>;
  readonly points: Set<string>;
  /** Some state that was met has an outcome, also where no simulated battle came to it. */
  canEnd: boolean;
}

export interface ConformanceCheck {
  readonly id: string;
  /** What holds of a good system. */
  readonly title: string;
  /** Without it the others tell nothing of a scenario. */
  readonly first?: boolean;
  readonly run: (subject: CheckedScenario) => readonly CheckMessage[] | Promise<readonly CheckMessage[]>;
}

export const createNote = (message: string): CheckMessage => ({ ok: true, message });

export const createAbsence = (message: string): CheckMessage => ({ ok: true, checked: false, absent: true, message });

export const createUnchecked = (message: string): CheckMessage => ({ ok: true, checked: false, message });

// Errors of rules and probabilities, as people read them.

const { url: here } = import.meta;

/** Where this package lies: lines of its own are not told. */
const PACKAGE_LOCATIONS = [
  new URL('..', here).href,
  '/dist/library/',
  '/dist/program/',
  '/dist/threads/',
  '/dist/src/',
  'node:',
];

const PATHS = PACKAGE_LOCATIONS.map((each) => each.replace(/^file:\/\//, ''));

const isPackageFrame = (frame: string): boolean => PATHS.some((path) => frame.includes(path));

/** Functions of this package that call rules: what lies below them is no line of the author. */
const CALLERS =
  /^\s+at (?:\S+\.)?(?:traceBattle|enumeratePaths|callIsolated|playBattle|playSeededBattle|start|step|outcome|measure|key)\b/;

/** The line of the author that an error comes from: `duel.js:12:5`; empty if there is none. */
export function findAuthorPosition(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((each) => /^\s+at /.test(each)) : [];
  const called = frames.findIndex((each) => isPackageFrame(each) && CALLERS.test(each));
  const above = called < 0 ? frames : frames.slice(0, called);
  const frame = above.find((each) => /:\d+:\d+\)?$/.test(each) && !isPackageFrame(each));
  return /[^/\\\s(]+:\d+:\d+(?=\)?$)/.exec(frame ?? '')?.[0] ?? '';
}

/** ` (duel.js:12:5)`, or nothing. */
export function formatAuthorPosition(error: unknown): string {
  const line = findAuthorPosition(error);
  return line === '' ? '' : ` (${line})`;
}

/** An error with the line of the author. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const name = error.name === 'RulesError' ? '' : `${error.name}: `;
  return `${name}${error.message}${formatAuthorPosition(error)}`;
}

/** A probability as people compare it. */
export function formatPercent(probability: number): string {
  return `${String(Number((100 * probability).toPrecision(6)))} %`;
}
