/** Widths of characters in DejaVu Sans, from the font itself. */
import { readFileSync } from 'node:fs';
import { getFontFiles } from './files.ts';

/** Offsets of the tables of a TrueType font, by tag. */
function readTables(font: DataView): Map<string, number> {
  const tables = new Map<string, number>();
  for (let t = 0; t < font.getUint16(4); t++) {
    const at = 12 + 16 * t;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((b) => font.getUint8(at + b)));
    tables.set(tag, font.getUint32(at + 8));
  }
  return tables;
}

/** Finds the offset of the character map of format 12, which has all of Unicode. */
function findCharacterMap(font: DataView, cmap: number): number {
  for (let t = 0; t < font.getUint16(cmap + 2); t++) {
    const at = cmap + font.getUint32(cmap + 4 + 8 * t + 4);
    if (font.getUint16(at) === 12) return at;
  }
  throw new Error('the font has no character map of format 12');
}

/** Reads the glyph of each character (OpenType specification, cmap format 12). */
function readGlyphs(font: DataView, at: number): (code: number) => number {
  const groups = Array.from({ length: font.getUint32(at + 12) }, (_, g) => {
    const group = at + 16 + 12 * g;
    return { first: font.getUint32(group), last: font.getUint32(group + 4), glyph: font.getUint32(group + 8) };
  });
  return (code) => {
    const group = groups.find(({ first, last }) => code >= first && code <= last);
    return group === undefined ? 0 : group.glyph + code - group.first;
  };
}

type CharacterWidths = (code: number) => number;

/** Reads the widths in ems; missing characters have the width of the replacement box. */
function readWidths(file: string): CharacterWidths {
  const bytes = readFileSync(file);
  const font = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = readTables(font);
  const findTable = (tag: string): number => tables.get(tag) ?? 0;
  const em = font.getUint16(findTable('head') + 18);
  const measured = font.getUint16(findTable('hhea') + 34);
  const glyphOf = readGlyphs(font, findCharacterMap(font, findTable('cmap')));
  return (code) => font.getUint16(findTable('hmtx') + 4 * Math.min(glyphOf(code), measured - 1)) / em;
}

let faces: readonly [plain: CharacterWidths, bold: CharacterWidths] | undefined;

/** Returns the width of a character by its code point, in ems. */
export function getCharacterWidth(code: number, bold: boolean): number {
  if (faces === undefined) {
    const [plain, heavy] = getFontFiles();
    faces = [readWidths(plain), readWidths(heavy)];
  }
  return faces[bold ? 1 : 0](code);
}
