/** Draws pictures: what draws is loaded with the first. Expressions are interpreted, since the page's policy forbids to compile them. */

import { stringify } from 'csv-stringify/browser/esm/sync';
import { parsePath } from '../../src/rules/index.ts';
import { cleanText, type Drawer, drawn, type Picture } from '../../src/tell/index.ts';
import { formOf } from '../../src/work/index.ts';
import { edited } from './edit.ts';

/** A picture that can be shown and saved. */
export interface Drawn {
  /** With its title and caption for those who do not see it. */
  readonly svg: string;
  /** What it shows, in a sentence or two. */
  readonly caption: string;
  /** CSS pixels on paper. */
  readonly width: number;
}

async function load(): Promise<Drawer> {
  const [vega, vegaLite, { expressionInterpreter }] = await Promise.all([
    import('vega'),
    import('vega-lite'),
    import('vega-interpreter'),
  ]);
  return { vega, vegaLite, interpreter: expressionInterpreter };
}

let drawer: Promise<Drawer> | undefined;

/** One picture after the other: ids are counted for all of them together. */
let last: Promise<unknown> = Promise.resolve();

/**
 * @param footer small print beneath it: what it is of
 * @param name   goes before its ids
 */
export function draw(picture: Picture, footer: string, name: string): Promise<Drawn> {
  const next = last.then(async (): Promise<Drawn> => {
    drawer ??= load();
    const svg = await drawn(picture, footer, name, await drawer);
    return { svg, caption: cleanText(picture.caption), width: picture.width };
  });
  last = next.catch(() => undefined);
  return next;
}

// Tables as CSV, written as `export --excel` writes them.

export function csvOf(columns: readonly string[], records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { ...formOf(true), columns: [...columns] },
  );
}

// Sets fields in the text of a scenario and leaves all else as it is written: comments, order, blank lines.

/** A value of a field, by its path: `attacker.hp`. */
export type Change = readonly [path: string, value: unknown];

/** @throws InputError if a path is none, or a field cannot be changed by itself */
export function setFields(text: string, changes: readonly Change[]): string {
  return changes.reduce((now, [path, value]) => edited(now, { kind: 'set', path: parsePath(path, path), value }), text);
}
