/** Style of terminal output: width and colors. */

/** Functions that color text; without colors, they return it unchanged. */
export type Paint = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

const keepText = (text: string): string => text;

/** Paint without colors. */
export const PLAIN_PAINT: Paint = {
  bold: keepText,
  dim: keepText,
  red: keepText,
  green: keepText,
  yellow: keepText,
  cyan: keepText,
};

/** Widths and colors of the output. */
export interface TerminalStyle {
  /** Width of lines of text, in columns. */
  readonly width: number;
  /** Width of lines of tables, in columns; infinite in files and pipes. Default: `width`. */
  readonly tableWidth?: number;
  readonly paint: Paint;
}

/** Width of lines of tables. */
export const getTableWidth = ({ width, tableWidth = width }: TerminalStyle): number => tableWidth;

/** Style of texts outside of a terminal: no colors, and lines of any length. */
export const PLAIN_STYLE: TerminalStyle = { width: Number.POSITIVE_INFINITY, paint: PLAIN_PAINT };
