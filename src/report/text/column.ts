/** Columns of tables. */

export interface TextColumn {
  /** One line or several. */
  readonly head: string;
  /** To the right unless said otherwise; `point`: decimal points below each other. */
  readonly align?: 'left' | 'right' | 'point';
  /** Cells may go on in the next line: names, sentences. Those of a first column do if it is on the left. */
  readonly breaks?: boolean;
  /** The head is a name: it stands in several lines where lines are limited. */
  readonly isName?: boolean;
  /** What the column means. */
  readonly about?: string;
  /** May be left out where lines are short; 1 is left out first. */
  readonly spare?: number;
}

export type TableRows = readonly (readonly string[])[];

/** Blanks between two columns. */
export const COLUMN_GAP = 2;

/** A head in one line. */
export const joinHeading = ({ head }: TextColumn): string => head.replaceAll('\n', ' ');
