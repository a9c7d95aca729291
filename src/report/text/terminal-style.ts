/** How a text looks: its width and its colours. */

/** Colours, or functions that leave their text as it is. */
export type Paint = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

const keepText = (text: string): string => text;

/** No colours. */
export const PLAIN_PAINT: Paint = {
  bold: keepText,
  dim: keepText,
  red: keepText,
  green: keepText,
  yellow: keepText,
  cyan: keepText,
};

/** How a text is laid out. */
export interface TerminalStyle {
  /** Characters in a line of text, and of a table unless `tables` says otherwise. */
  readonly width: number;
  /** Characters in a line of a table: infinite in a file or a pipe, whose lines may be of any length. */
  readonly tableWidth?: number;
  readonly paint: Paint;
}

/** Characters in a line of a table. */
export const getTableWidth = ({ width, tableWidth = width }: TerminalStyle): number => tableWidth;
