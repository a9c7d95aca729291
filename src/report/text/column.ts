/** Columns of tables. */

export interface TextColumn {
  /** Column head, of one or more lines. */
  readonly head: string;
  /** Default: `right`. `point` aligns decimal points. */
  readonly align?: 'left' | 'right' | 'point';
  /** True if cells may be wrapped: names, sentences. Left-aligned first columns are always wrapped. */
  readonly breaks?: boolean;
  /** True if the head is a name, which may be wrapped. */
  readonly isName?: boolean;
  /** Path of the field of which the head is the label, for the color of the column. */
  readonly path?: string;
  /** Meaning of the column. */
  readonly about?: string;
  /** Order in which columns are omitted if lines are too short, from 1. Undefined: never omitted. */
  readonly spare?: number;
}

export type TableRows = readonly (readonly string[])[];

/** Spaces between two columns. */
export const COLUMN_GAP = 2;

/** Formats a head as one line. */
export const joinHeading = ({ head }: TextColumn): string => head.replaceAll('\n', ' ');
