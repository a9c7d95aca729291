/** Text that came from a file, for a terminal or a picture. */

/** Control characters, line breaks of all kinds, and what turns the direction of writing. */
const MOVING = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** The text as one line that cannot move the cursor: what would move it is made visible. */
export function clean(text: string): string {
  return text.replace(MOVING, '\uFFFD');
}

/** The same for each line of a text. */
export function cleanLines(text: string): string {
  return text.split('\n').map(clean).join('\n');
}

/** Halves of characters that lack the other half, and what XML forbids. */
const BROKEN = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** The text as one line that XML can hold as well. Markup in it is escaped by whoever writes markup. */
export function cleanText(text: string): string {
  return clean(text).replace(BROKEN, '\uFFFD');
}
