/** Pattern of a comment: shipped scenarios have no `#` in quotes. */
const COMMENT_PATTERN = /(?:^|[ \t])#.*/;

/** Removes comments and empty lines. */
const getSignificantText = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(COMMENT_PATTERN, '').trimEnd())
    .filter((line) => line !== '')
    .join('\n');

/** Returns whether a text equals a shipped scenario, ignoring comments, empty lines and trailing spaces. */
export const isSameScenario = (text: string, shipped: string): boolean =>
  text === shipped || getSignificantText(text) === getSignificantText(shipped);
