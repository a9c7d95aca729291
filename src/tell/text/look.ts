/** How a text looks: its width and its colours. */

/** Colours, or functions that leave their text as it is. */
export type Paint = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

const asItIs = (text: string): string => text;

/** No colours. */
export const PLAIN: Paint = {
  bold: asItIs,
  dim: asItIs,
  red: asItIs,
  green: asItIs,
  yellow: asItIs,
  cyan: asItIs,
};

/** How a text is laid out. */
export interface Look {
  /** Characters in a line of text, and of a table unless `tables` says otherwise. */
  readonly width: number;
  /** Characters in a line of a table: infinite in a file or a pipe, whose lines may be of any length. */
  readonly tables?: number;
  readonly paint: Paint;
}

/** Characters in a line of a table. */
export const tableWidth = ({ width, tables = width }: Look): number => tables;
