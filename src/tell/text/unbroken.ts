/** A text whose numbers no line break parts: not in their thousands, not from their sign, not in intervals. */
export function unbroken(text: string): string {
  return text.replaceAll(/(?<=\d) (?=%|\d{3}\b|\.\. )|(?<=\.\.) (?=\d)/g, '\u00A0');
}
