/** A blank at which no line breaks. */
const FIXED = '\u00A0';

/**
 * Numbers and what belongs to them stay in one line: groups of digits, `%` and `pp` behind them, the blanks of `25 .. 30`
 * and `3 -> 4`, comparing signs before them.
 */
export function unbroken(text: string): string {
  return text
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d)|%|pp\b)/g, FIXED)
    .replaceAll(/(?<=(?:^|[^-])[<>≤≥±]) (?=\d)/g, FIXED)
    .replaceAll(/(?<=\d|%) (\.\.|->|→) (?=\d|-)/g, `${FIXED}$1${FIXED}`);
}
