/** What a form is made of: plain values, which the page draws. */
import type { Path } from '../../src/rules/scenario/problem.ts';

/** How a field is asked for. */
export type Shape =
  | {
      readonly kind: 'number';
      readonly value: number | undefined;
      readonly low?: number;
      readonly high?: number;
      readonly whole: boolean;
    }
  /** With `number`, numbers are taken as such. */
  | { readonly kind: 'text'; readonly value: string | undefined; readonly number: boolean }
  | { readonly kind: 'switch'; readonly value: boolean; readonly given: boolean }
  /** One of some values; with `inner` the chosen one has a shape of its own. */
  | {
      readonly kind: 'choice';
      readonly options: readonly Option[];
      readonly chosen: number;
      readonly inner?: Shape | undefined;
    }
  /** With `fresh`, fields by other names can be added, with this value. */
  | {
      readonly kind: 'group';
      readonly entries: readonly Entry[];
      readonly fresh?: { readonly value: unknown } | undefined;
    }
  /** With `fresh`, more can be added. */
  | {
      readonly kind: 'list';
      readonly entries: readonly Entry[];
      readonly fresh?: { readonly value: unknown } | undefined;
    }
  /** Not as declared: shown as it is. */
  | { readonly kind: 'strange'; readonly text: string };

export interface Option {
  readonly label: string;
  /** What is written when it is chosen. */
  readonly value: unknown;
}

export interface Entry {
  readonly path: Path;
  /** What messages call it. */
  readonly place: string;
  readonly name: string;
  readonly about: string;
  readonly default?: string | undefined;
  readonly required: boolean;
  /** The text has it. */
  readonly present: boolean;
  readonly shape: Shape;
}

export type Form =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly reason: string };
