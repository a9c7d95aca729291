/** Widths of texts in DejaVu Sans, read off the font itself, so that labels get the room that they take. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The files of the font: plain and bold. The build puts them into dist/fonts/; no other font is ever used. */
export function fontFiles(): readonly [plain: string, bold: string] {
  const require = createRequire(import.meta.url);
  return [require.resolve('#fonts/DejaVuSans.ttf'), require.resolve('#fonts/DejaVuSans-Bold.ttf')];
}

/** Verdana has nearly the same widths, for readers without DejaVu. */
export const FONT = 'DejaVu Sans, Verdana, sans-serif';

/** Offsets of the tables of a TrueType font, by tag. */
function tablesOf(font: DataView): Map<string, number> {
  const tables = new Map<string, number>();
  for (let t = 0; t < font.getUint16(4); t++) {
    const at = 12 + 16 * t;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((b) => font.getUint8(at + b)));
    tables.set(tag, font.getUint32(at + 8));
  }
  return tables;
}

/** Offset of the character map of format 12, which has all of Unicode. */
function mapAt(font: DataView, cmap: number): number {
  for (let t = 0; t < font.getUint16(cmap + 2); t++) {
    const at = cmap + font.getUint32(cmap + 4 + 8 * t + 4);
    if (font.getUint16(at) === 12) return at;
  }
  throw new Error('the font has no character map of format 12');
}

/** The glyph of each character (OpenType specification, cmap format 12). */
function glyphsOf(font: DataView, at: number): (code: number) => number {
  const groups = Array.from({ length: font.getUint32(at + 12) }, (_, g) => {
    const group = at + 16 + 12 * g;
    return { first: font.getUint32(group), last: font.getUint32(group + 4), glyph: font.getUint32(group + 8) };
  });
  return (code) => {
    const group = groups.find(({ first, last }) => code >= first && code <= last);
    return group === undefined ? 0 : group.glyph + code - group.first;
  };
}

type Measure = (text: string) => number;

/** Measures texts in ems; characters that the font lacks are as wide as its box for them. */
function measureOf(file: string): Measure {
  const bytes = readFileSync(file);
  const font = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = tablesOf(font);
  const table = (tag: string): number => tables.get(tag) ?? 0;
  const em = font.getUint16(table('head') + 18);
  const measured = font.getUint16(table('hhea') + 34);
  const glyphOf = glyphsOf(font, mapAt(font, table('cmap')));
  const widths = new Map<string, number>();
  const widthOf = (character: string): number => {
    const known = widths.get(character);
    if (known !== undefined) return known;
    const glyph = Math.min(glyphOf(character.codePointAt(0) ?? 0), measured - 1);
    const width = font.getUint16(table('hmtx') + 4 * glyph) / em;
    widths.set(character, width);
    return width;
  };
  return (text) => Array.from(text).reduce((sum, character) => sum + widthOf(character), 0);
}

let measures: readonly [plain: Measure, bold: Measure] | undefined;

/** The width of a text of this size, in the unit of the size. */
export function textWidth(text: string, size: number, bold = false): number {
  if (measures === undefined) {
    const [plain, heavy] = fontFiles();
    measures = [measureOf(plain), measureOf(heavy)];
  }
  return size * measures[bold ? 1 : 0](text);
}
