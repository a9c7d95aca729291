/** Shipped scenarios have no `#` in quotes: what stands behind one is a comment there. */
const COMMENT = /(?:^|[ \t])#.*/;

/** The lines that mean something. */
const meant = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(COMMENT, '').trimEnd())
    .filter((line) => line !== '')
    .join('\n');

/** Whether a text is that of a shipped scenario but for comments, empty lines and blanks at the ends of lines. */
export const isSame = (text: string, shipped: string): boolean => text === shipped || meant(text) === meant(shipped);
