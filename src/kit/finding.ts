/** What the test kit says of a system. */
import type { Opened } from '../rules/opened.ts';
import type { CheckEffort } from './effort.ts';

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
export interface CheckFound {
  /** True of a note. */
  readonly ok?: boolean;
  /** False if it could not be looked at. */
  readonly checked?: boolean;
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
  readonly open: Opened;
  readonly seed: bigint;
  readonly effort: CheckEffort;
  /** What came in any scenario of the system. */
  readonly seen: SeenNames;
}

/** Names that came in some battle of some scenario. */
export interface SeenNames {
  readonly outcomes: Set<string>;
  readonly rules: Set<string>;
  readonly points: Set<string>;
}

export interface Check {
  readonly id: string;
  /** What holds of a good system. */
  readonly title: string;
  /** Without it the others tell nothing of a scenario. */
  readonly first?: boolean;
  readonly run: (subject: CheckedScenario) => readonly CheckFound[] | Promise<readonly CheckFound[]>;
}

export const note = (message: string): CheckFound => ({ ok: true, message });

export const unchecked = (message: string): CheckFound => ({ ok: true, checked: false, message });
