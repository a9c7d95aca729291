/** The sweep that is under way or was: its cells stay while the page is open, so that it can be stopped and resumed. */
import { signal } from '@preact/signals';
import { grouped, type Quantity } from '../../../src/tell/index.ts';
import type { Row } from '../../../src/work/index.ts';
import { perform } from '../../engine/client.ts';
import type { Afar } from '../../engine/live.ts';
import type { SweepAsk, SweepPart, SweepPlan, SweepShown } from '../../engine/sweep.ts';
import { Drawing } from '../pictures/drawing.ts';
import { Work } from '../pictures/work.ts';

export const work = new Work<boolean, SweepPart>();
/** What is swept; undefined before the first. */
export const plan = signal<SweepPlan | undefined>(undefined);
export const askedFor = signal<SweepAsk | undefined>(undefined);
/** Points that are done. */
export const done = signal(0);
export const refused = signal<readonly string[]>([]);
export const shown = signal<SweepShown | undefined>(undefined);
export const drawFault = signal<unknown>(undefined);
/** A picture is under way. */
export const draws = signal(false);

/** What is drawn; all outcomes if it is several. */
export const drawnOf = signal<readonly Quantity[]>([]);

let rows: Row[] = [];
let points: number[] = [];

/** Milliseconds between two pictures of a sweep that goes on. */
const DRAW_EVERY = 600;

const keyOf = ({ kind, name }: Quantity): string => `${kind} ${name}`;

async function drawNow(): Promise<void> {
  const of = drawnOf.peek();
  const [about, ask] = [plan.peek(), askedFor.peek()];
  if (about === undefined || ask === undefined || of.length === 0) return;
  const wanted = new Set(of.map(keyOf));
  const own = rows.filter((row) => wanted.has(keyOf(row)));
  if (own.length === 0) return;
  const battles = ask.precision === undefined ? `${grouped(ask.battles)} battles a cell` : `±${String(ask.precision)}`;
  const how = ask.battles === 0 && ask.precision === undefined ? 'exact' : battles;
  const footer = `${ask.file}, ${how}, seed ${ask.seed}`;
  const show = {
    plan: { axes: about.axes, counts: about.counts, sides: about.sides, here: about.here },
    of,
    rows: own,
    footer,
  };
  shown.value = await perform((engine) => engine.sweepShow(show));
}

const drawing = new Drawing(async () => {
  draws.value = true;
  try {
    await drawNow();
    drawFault.value = undefined;
  } catch (error) {
    drawFault.value = error;
  } finally {
    draws.value = false;
  }
}, DRAW_EVERY);

/** Draws what is there; if a picture is under way, once more after it. */
export const redraw = (): Promise<void> => drawing.now();

function take(part: SweepPart): void {
  rows.push(...part.rows);
  points.push(...part.points, ...part.refused.map(([point]) => point));
  refused.value = [...refused.value, ...part.refused.map(([, why]) => why)];
  done.value = points.length;
  drawing.mark();
}

function forget(): void {
  rows = [];
  points = [];
  done.value = 0;
  refused.value = [];
  shown.value = undefined;
}

/** Exact answers alone where all of them are small, instead of battles. */
export async function usual(engine: Afar, ask: SweepAsk): Promise<SweepAsk> {
  return (await engine.sweepIsSmall(ask)) ? { ...ask, battles: 0, exact: 'always' } : ask;
}

/** How many were begun. */
let begun = 0;

/** Begins a sweep, or goes on with it where it has the same cells. @param decide how cells are answered is as usual */
export async function start(asked: SweepAsk, decide: boolean): Promise<void> {
  const mine = ++begun;
  await work.start(
    asked.text,
    async (engine, task, tell) => {
      const ask = decide ? await usual(engine, asked) : asked;
      const planned = await engine.sweepPlan(ask);
      // Another one was begun meanwhile: what is shown is of that.
      if (mine !== begun) return false;
      if (plan.value?.hash !== planned.hash) forget();
      plan.value = planned;
      askedFor.value = ask;
      return await engine.sweep(ask, points, task, tell);
    },
    take,
  );
  await redraw();
}

/** All rows as the command line writes them. */
export async function csv(): Promise<string> {
  const axes = plan.value?.axes ?? [];
  return await perform((engine) => engine.sweepCsv(rows, axes));
}
