/** Draws pictures: what draws is loaded with the first. Expressions are interpreted, since the page's policy forbids to compile them. */
import type { Picture } from '../../src/tell/pictures/picture.ts';
import { type Drawer, drawn } from '../../src/tell/pictures/svg.ts';
import { cleanText } from '../../src/tell/text/clean.ts';

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
