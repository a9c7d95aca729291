import type { BoundScenario } from '../rules/index.ts';

/** Amount of work per scenario. It is counted, not timed, so results are reproducible. */
interface CheckEffort {
  /** Battles to simulate with the rules as written. */
  readonly battles: number;
  /** Maximum total steps of these battles. */
  readonly steps: number;
  /** Maximum paths of a step to explore. */
  readonly ways: number;
  /** Battles to compare with the exact answer. */
  readonly compared: number;
  /** Maximum steps of an automaton. */
  readonly compiled: number;
}

export const FULL: CheckEffort = { battles: 200, steps: 40_000, ways: 60_000, compared: 50_000, compiled: 60_000 };

/** Also used for generated scenarios. */
export const QUICK: CheckEffort = { battles: 30, steps: 6000, ways: 6000, compared: 4000, compiled: 6000 };

/** Result of a check of one scenario. */
export interface Finding {
  /** The id of the check. */
  readonly check: string;
  /** Name of the scenario; empty for the system as a whole. */
  readonly scenario: string;
  /** False if something is wrong. */
  readonly ok: boolean;
  /** False if the check was not complete; the message has the reason. */
  readonly checked: boolean;
  /** True if the system lacks the tested feature. */
  readonly absent?: true;
  /** Problem or remark; empty if there is none. */
  readonly message: string;
  /** Consequence and remedy; for a passed check only in hints. */
  readonly advice: string;
  /** Battle that shows it: `replay(scenario, battle)`. */
  readonly battle?: { readonly seed: string; readonly battle: number };
  /** Scenario in the form of a file. */
  readonly input?: unknown;
}

/** Message of a check. */
export interface CheckMessage {
  /** True of a note. */
  readonly ok?: boolean;
  /** False if it could not be checked. */
  readonly checked?: boolean;
  /** True if the system lacks the tested feature. */
  readonly absent?: true;
  readonly message: string;
  readonly advice?: string;
  /** Index of the battle that shows it. */
  readonly battle?: number;
}

/** A scenario that is checked. */
export interface CheckedScenario {
  readonly label: string;
  /** In the form of a file. */
  readonly input: unknown;
  /** True if generated from the schema, so perhaps unrealistic. */
  readonly generated: boolean;
  readonly open: BoundScenario;
  readonly seed: bigint;
  readonly effort: CheckEffort;
  /** Names observed in all scenarios of the system. */
  readonly observed: ObservedNames;
}

/** Names observed in battles. */
export interface ObservedNames {
  readonly outcomes: Set<string>;
  readonly rules: Set<string>;
  readonly points: Set<string>;
  /** True if some explored state has an outcome, even if no simulated battle reached it. */
  canEnd: boolean;
}

export interface ConformanceCheck {
  readonly id: string;
  /** Property that the check verifies. */
  readonly title: string;
  /** True if the other checks of a scenario depend on it. */
  readonly first?: boolean;
  readonly run: (subject: CheckedScenario) => readonly CheckMessage[] | Promise<readonly CheckMessage[]>;
}

export const createNote = (message: string): CheckMessage => ({ ok: true, message });

export const createAbsence = (message: string): CheckMessage => ({ ok: true, checked: false, absent: true, message });

export const createUnchecked = (message: string): CheckMessage => ({ ok: true, checked: false, message });

// Formatting of errors of rules and of probabilities.

const here = import.meta.url;

/** Locations of this package, whose lines are not shown. */
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

/** Functions of this package that call rules: frames below them are not lines of the author. */
const CALLERS =
  /^\s+at (?:\S+\.)?(?:traceBattle|enumeratePaths|callIsolated|playBattle|playSeededBattle|start|step|outcome|measure|key)\b/;

/** Returns the author's line of an error: `duel.js:12:5`; empty if there is none. */
export function findAuthorPosition(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((each) => /^\s+at /.test(each)) : [];
  const called = frames.findIndex((each) => isPackageFrame(each) && CALLERS.test(each));
  const above = called < 0 ? frames : frames.slice(0, called);
  const frame = above.find((each) => /:\d+:\d+\)?$/.test(each) && !isPackageFrame(each));
  return /[^/\\\s(]+:\d+:\d+(?=\)?$)/.exec(frame ?? '')?.[0] ?? '';
}

/** Formats ` (duel.js:12:5)`, or an empty text. */
export function formatAuthorPosition(error: unknown): string {
  const line = findAuthorPosition(error);
  return line === '' ? '' : ` (${line})`;
}

/** Describes an error, with the author's line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const name = error.name === 'RulesError' ? '' : `${error.name}: `;
  return `${name}${error.message}${formatAuthorPosition(error)}`;
}

/** Formats a probability in percent. */
export function formatPercent(probability: number): string {
  return `${String(Number((100 * probability).toPrecision(6)))} %`;
}
