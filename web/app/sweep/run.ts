/** The sweep that is under way or was: its cells stay while the page is open, so that it can be stopped and resumed. */
import { signal } from '@preact/signals';
import { formatGrouped, type SweepQuantity } from '../../../src/report/index.ts';
import type { ResultRow } from '../../../src/storage/index.ts';
import { perform } from '../../engine/client.ts';
import type { EngineProxy } from '../../engine/live.ts';
import type { SweepFigureView, SweepPlan, SweepProgressPart, SweepRequest } from '../../engine/studies/sweep.ts';
import { BackgroundWork } from '../figures/background-work.ts';
import { RedrawScheduler } from '../figures/redraw-scheduler.ts';

export const work = new BackgroundWork<boolean, SweepProgressPart>();
/** What is swept; undefined before the first. */
export const plan = signal<SweepPlan | undefined>(undefined);
export const requestedSweep = signal<SweepRequest | undefined>(undefined);
/** Points that are done. */
export const donePoints = signal(0);
export const rejectedPoints = signal<readonly string[]>([]);
export const shownSweep = signal<SweepFigureView | undefined>(undefined);
export const drawFault = signal<unknown>(undefined);
/** A picture is under way. */
export const isDrawing = signal(false);

/** What is drawn; all outcomes if it is several. */
export const drawnQuantities = signal<readonly SweepQuantity[]>([]);

let sweepRows: ResultRow[] = [];
let sweepPoints: number[] = [];

/** Milliseconds between two pictures of a sweep that goes on. */
const DRAW_EVERY = 600;

const getQuantityKey = ({ kind, name }: SweepQuantity): string => `${kind} ${name}`;

async function drawSweep(): Promise<void> {
  const of = drawnQuantities.peek();
  const [about, ask] = [plan.peek(), requestedSweep.peek()];
  if (about === undefined || ask === undefined || of.length === 0) return;
  const wanted = new Set(of.map(getQuantityKey));
  const own = sweepRows.filter((row) => wanted.has(getQuantityKey(row)));
  if (own.length === 0) return;
  const battles =
    ask.precision === undefined ? `${formatGrouped(ask.battles)} battles a cell` : `±${String(ask.precision)}`;
  const how = ask.battles === 0 && ask.precision === undefined ? 'exact' : battles;
  const footer = `${ask.file}, ${how}, seed ${ask.seed}`;
  const show = {
    plan: { axes: about.axes, counts: about.counts, sides: about.sides, here: about.here },
    of,
    rows: own,
    footer,
  };
  shownSweep.value = await perform((engine) => engine.sweepShow(show));
}

const redrawScheduler = new RedrawScheduler(async () => {
  isDrawing.value = true;
  try {
    await drawSweep();
    drawFault.value = undefined;
  } catch (error) {
    drawFault.value = error;
  } finally {
    isDrawing.value = false;
  }
}, DRAW_EVERY);

/** Draws what is there; if a picture is under way, once more after it. */
export const redraw = (): Promise<void> => redrawScheduler.drawNow();

function addPart(part: SweepProgressPart): void {
  sweepRows.push(...part.rows);
  sweepPoints.push(...part.points, ...part.rejected.map(([point]) => point));
  rejectedPoints.value = [...rejectedPoints.value, ...part.rejected.map(([, why]) => why)];
  donePoints.value = sweepPoints.length;
  redrawScheduler.markDirty();
}

function clearResults(): void {
  sweepRows = [];
  sweepPoints = [];
  donePoints.value = 0;
  rejectedPoints.value = [];
  shownSweep.value = undefined;
}

/** Exact answers alone where all of them are small, instead of battles. */
export async function chooseDefaultEffort(engine: EngineProxy, ask: SweepRequest): Promise<SweepRequest> {
  return (await engine.sweepIsSmall(ask)) ? { ...ask, battles: 0, exact: 'always' } : ask;
}

/** How many were begun. */
let startCount = 0;

/** Begins a sweep, or goes on with it where it has the same cells. @param decide how cells are answered is as usual */
export async function startSweep(asked: SweepRequest, decide: boolean): Promise<void> {
  const mine = ++startCount;
  await work.start(
    asked.text,
    async (engine, task, tell) => {
      const ask = decide ? await chooseDefaultEffort(engine, asked) : asked;
      const planned = await engine.sweepPlan(ask);
      // Another one was begun meanwhile: what is shown is of that.
      if (mine !== startCount) return false;
      if (plan.value?.hash !== planned.hash) clearResults();
      plan.value = planned;
      requestedSweep.value = ask;
      return await engine.sweep(ask, sweepPoints, task, tell);
    },
    addPart,
  );
  await redraw();
}

/** All rows as the command line writes them. */
export async function createSweepCsv(): Promise<string> {
  const axes = plan.value?.axes ?? [];
  return await perform((engine) => engine.sweepCsv(sweepRows, axes));
}
