/** Draws pictures: what draws is loaded with the first. Expressions are interpreted, since the page's policy forbids to compile them. */

import { stringify } from 'csv-stringify/browser/esm/sync';
import { drawFigure, type Figure, sanitizeXmlText, type VegaDrawer } from '../../../src/report/index.ts';
import { parsePath } from '../../../src/rules/index.ts';
import { createCsvFormat } from '../../../src/storage/index.ts';
import { applyEdit } from '../editing/edit.ts';

/** A picture that can be shown and saved. */
export interface RenderedFigure {
  /** With its title and caption for those who do not see it. */
  readonly svg: string;
  /** What it shows, in a sentence or two. */
  readonly caption: string;
  /** CSS pixels on paper. */
  readonly width: number;
}

async function loadDrawer(): Promise<VegaDrawer> {
  const [vega, vegaLite, { expressionInterpreter }] = await Promise.all([
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
  ]);
  return { vega, vegaLite, interpreter: expressionInterpreter };
}

let drawer: Promise<VegaDrawer> | undefined;

/** One picture after the other: ids are counted for all of them together. */
let lastDrawing: Promise<unknown> = Promise.resolve();

/**
 * @param footer small print beneath it: what it is of
 * @param name   goes before its ids
 */
export function renderFigure(picture: Figure, footer: string, name: string): Promise<RenderedFigure> {
  const next = lastDrawing.then(async (): Promise<RenderedFigure> => {
    drawer ??= loadDrawer();
    const svg = await drawFigure(picture, footer, name, await drawer);
    return { svg, caption: sanitizeXmlText(picture.caption), width: picture.width };
  });
  lastDrawing = next.catch(() => undefined);
  return next;
}

// Tables as CSV, written as `export --excel` writes them.

export function formatCsv(columns: readonly string[], records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { ...createCsvFormat(true), columns: [...columns] },
  );
}

// Sets fields in the text of a scenario and leaves all else as it is written: comments, order, blank lines.

/** A value of a field, by its path: `attacker.hp`. */
export type PathChange = readonly [path: string, value: unknown];

/** @throws InputError if a path is none, or a field cannot be changed by itself */
export function setFields(text: string, changes: readonly PathChange[]): string {
  return changes.reduce(
    (now, [path, value]) => applyEdit(now, { kind: 'set', path: parsePath(path, path), value }),
    text,
  );
}
