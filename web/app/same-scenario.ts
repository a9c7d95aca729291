/** Shipped scenarios have no `#` in quotes: what stands behind one is a comment there. */
const COMMENT_PATTERN = /(?:^|[ \t])#.*/;

/** The lines that mean something. */
const getSignificantText = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(COMMENT_PATTERN, '').trimEnd())
    .filter((line) => line !== '')
    .join('\n');

/** Whether a text is that of a shipped scenario but for comments, empty lines and blanks at the ends of lines. */
export const isSameScenario = (text: string, shipped: string): boolean =>
  text === shipped || getSignificantText(text) === getSignificantText(shipped);
