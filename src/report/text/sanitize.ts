/** Text that came from a file, for a terminal or a picture. */

/** Control characters, line breaks of all kinds, and what turns the direction of writing. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** The text as one line that cannot move the cursor: what would move it is made visible. */
export function sanitizeLine(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '\uFFFD');
}

/** The same for each line of a text. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeLine).join('\n');
}

/** Halves of characters that lack the other half, and what XML forbids. */
const INVALID_XML_CHARACTERS = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** The text as one line that XML can hold as well. Markup in it is escaped by whoever writes markup. */
export function sanitizeXmlText(text: string): string {
  return sanitizeLine(text).replace(INVALID_XML_CHARACTERS, '\uFFFD');
}
