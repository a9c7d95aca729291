/** A blank at which no line breaks. */
const NO_BREAK_SPACE = '\u00A0';

/**
 * Numbers and what belongs to them stay in one line: groups of digits, `%` and `pp` behind them, the blanks of `25 .. 30`
 * and `3 -> 4`, comparing signs before them.
 */
export function preventNumberBreaks(text: string): string {
  return text
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d)|%|pp\b)/g, NO_BREAK_SPACE)
    .replaceAll(/(?<=(?:^|[^-])[<>≤≥±]) (?=\d)/g, NO_BREAK_SPACE)
    .replaceAll(/(?<=\d|%) (\.\.|->|→) (?=\d|-)/g, `${NO_BREAK_SPACE}$1${NO_BREAK_SPACE}`);
}
