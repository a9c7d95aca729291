/** What is expected of scenarios. */

import type { Bounds } from '../../answers/bounds.ts';
import type { Interval } from '../../answers/intervals.ts';
import type { Quantity } from '../../answers/quantity.ts';
import type { Scenario } from '../../rules/system.ts';

/** What a snapshot has of an expectation: a value or a digest. */
export interface KeptExpectation {
  /** When it was kept. */
  readonly ruleset: string;
  /** The hash of the scenario. */
  readonly scenario: string;
  /** Exact, unless there is an interval. */
  readonly value?: number | undefined;
  readonly interval?: Interval | undefined;
  readonly digest?: string | undefined;
}

/** That an answer is what it was. */
export interface SnapshotOf {
  /** What is compared, in words: `attacker`, `digest of 100000 battles of seed 1`. */
  readonly of: string;
  /** What it was; absent if that is not known. */
  readonly kept?: KeptExpectation;
  /** What the snapshot has in its place, if the expectation has asked for something else then. */
  readonly other?: string;
}

/** What all expectations have. */
interface Named {
  readonly name: string;
  /** Where its sentence stands: `balance.yaml:6:13`; `stdin:6:13` of standard input. */
  readonly place: string;
  /** Complete, with its changes. */
  readonly scenario: Scenario;
  /** The file that it is from, as it was written; undefined if it stands in the file of expectations. */
  readonly file: string | undefined;
  /** The sentence; of a digest `digest` and what it should be. */
  readonly expect: string;
  /** In decimal. */
  readonly seed: string;
  /** How many may be played; of a digest how many are. */
  readonly battles: number;
  /** Absent if it is not compared with a snapshot. */
  readonly snapshot?: SnapshotOf;
}

/** That a number is within bounds, or what it was. */
export interface ValueExpectation extends Named {
  readonly kind: 'value';
  readonly quantity: Quantity;
  /** Of which one may be infinite; both are, if it is compared with a snapshot. */
  readonly bounds: Bounds;
  /** With what probability the verdict may be wrong at most. */
  readonly error: number;
  /** Whether the interval of a mean holds for every law in the declared range. */
  readonly bounded: boolean;
}

/** That the digest of a run is a given one, or what it was. */
export interface DigestExpectation extends Named {
  readonly kind: 'digest';
  /** Absent if it is compared with a snapshot. */
  readonly digest?: string;
}

/** Something that should hold of a scenario. */
export type Expectation = ValueExpectation | DigestExpectation;
