/**
 * Renders figures. The renderer is loaded with the first figure, and interprets expressions, because the policy of the
 * page forbids compiling them.
 */

import { stringify } from 'csv-stringify/browser/esm/sync';
import { drawFigure, type Figure, sanitizeXmlText, type VegaDrawer } from '../../../src/report/index.ts';
import { parsePath } from '../../../src/rules/index.ts';
import { createCsvFormat } from '../../../src/storage/index.ts';
import { applyEdit } from '../editing/edit.ts';

/** Figure that can be shown and saved. */
export interface RenderedFigure {
  /** SVG with title and caption for screen readers. */
  readonly svg: string;
  /** Caption of one or two sentences. */
  readonly caption: string;
  /** Width in CSS pixels on paper. */
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

/** Queue of drawings: all share one counter of ids. */
let lastDrawing: Promise<unknown> = Promise.resolve();

/**
 * Renders a figure.
 * @param footer small print below it
 * @param name prefix of its ids
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

// Tables as CSV in the format of `export --excel`.

export function formatCsv(columns: readonly string[], records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { ...createCsvFormat(true), columns: [...columns] },
  );
}

// Edits of fields that keep all else of a text: comments, order, blank lines.

/** Path and value of a field: `attacker.hp`. */
export type PathChange = readonly [path: string, value: unknown];

/** Sets fields in the text of a scenario. @throws InputError for an invalid path or a field that other fields share */
export function setFields(text: string, changes: readonly PathChange[]): string {
  return changes.reduce(
    (now, [path, value]) => applyEdit(now, { kind: 'set', path: parsePath(path, path), value }),
    text,
  );
}
