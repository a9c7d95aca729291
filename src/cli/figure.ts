/** Pictures as files. */
import { extname } from 'node:path';
import { writeText } from '../core/files/output.ts';
import { pngOf, svgOf } from '../tell/pictures/draw.ts';
import type { Picture } from '../tell/pictures/picture.ts';
import { say } from './terminal.ts';

/** @param footer small print beneath it */
export async function writeFigure(path: string, picture: Picture, footer: string): Promise<void> {
  const svg = await svgOf(picture, footer, 'figure');
  await writeText(path, extname(path).toLowerCase() === '.png' ? await pngOf(svg) : `${svg}\n`);
  say(`${path}: written`);
}
