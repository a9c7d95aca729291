const NO_BREAK_SPACE = '\u00A0';

/**
 * Prevents line breaks in numbers: in groups of digits, before `%` and `pp`, in `25 .. 30` and `3 -> 4`, after
 * comparison signs.
 */
export function preventNumberBreaks(text: string): string {
  return text
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d)|%|pp\b)/g, NO_BREAK_SPACE)
    .replaceAll(/(?<=(?:^|[^-])[<>≤≥±]) (?=\d)/g, NO_BREAK_SPACE)
    .replaceAll(/(?<=\d|%) (\.\.|->|→) (?=\d|-)/g, `${NO_BREAK_SPACE}$1${NO_BREAK_SPACE}`);
}
