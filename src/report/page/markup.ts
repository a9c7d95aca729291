/** HTML from templates: whatever is put in is escaped, unless it is markup itself. */
import { cleanText } from '../clean.ts';

/** Text that is HTML already. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it stands between tags or in a quoted attribute. */
function escaped(text: string): string {
  return cleanText(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function shown(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(({ text }) => text).join('\n') : escaped(String(part));
}

/** A template of HTML. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, s) => text + shown(parts[s - 1] ?? '') + string));
}

export interface Head {
  readonly head: string;
  /** Numbers stand to the right. */
  readonly number?: boolean;
}

/** A table, wide ones in a box that scrolls. */
export function table(heads: readonly Head[], rows: readonly (readonly string[])[]): Markup {
  const kind = ({ number }: Head): Markup => (number === true ? markup` class="n"` : markup``);
  const head = heads.map((each) => markup`<th scope="col"${kind(each)}>${each.head}</th>`);
  const body = rows.map((row) => {
    const cells = row.map((cell, c) => markup`<td${kind(heads[c] ?? { head: '' })}>${cell}</td>`);
    return markup`<tr>${new Markup(cells.map(({ text }) => text).join(''))}</tr>`;
  });
  return markup`<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>`;
}
