/** Sanitization of untrusted text for terminals and figures. */

/** Control characters, line breaks, and characters that change the direction of writing. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;

/** Converts text to one line without control characters, which become visible. */
export function sanitizeLine(text: string): string {
  return text.replace(CONTROL_CHARACTERS, '\uFFFD');
}

/** Sanitizes each line of a text. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeLine).join('\n');
}

/** Unpaired surrogates, and characters that XML forbids. */
const INVALID_XML_CHARACTERS = /[\p{Cs}\uFFFE\uFFFF]/gu;

/** Converts text to one line that is valid in XML. It does not escape markup. */
export function sanitizeXmlText(text: string): string {
  return sanitizeLine(text).replace(INVALID_XML_CHARACTERS, '\uFFFD');
}
