/** State of the current sweep: its cells are kept while the page is open, so that it can be resumed. */
import { signal } from '@preact/signals';
import { formatGrouped, type SweepQuantity } from '../../../src/report/index.ts';
import type { ResultRow } from '../../../src/storage/index.ts';
import { perform } from '../../engine/client.ts';
import type { EngineProxy } from '../../engine/live.ts';
import type { SweepFigureView, SweepPlan, SweepProgressPart, SweepRequest } from '../../engine/studies/sweep.ts';
import { BackgroundWork } from '../figures/background-work.ts';
import { RedrawScheduler } from '../figures/redraw-scheduler.ts';

export const work = new BackgroundWork<boolean, SweepProgressPart>();
/** Plan of the sweep; undefined before the first. */
export const plan = signal<SweepPlan | undefined>(undefined);
export const requestedSweep = signal<SweepRequest | undefined>(undefined);
/** Number of completed points. */
export const donePoints = signal(0);
export const rejectedPoints = signal<readonly string[]>([]);
export const shownSweep = signal<SweepFigureView | undefined>(undefined);
export const drawFault = signal<unknown>(undefined);
/** True while a figure is drawn. */
export const isDrawing = signal(false);

/** Quantities that are drawn; several for all outcomes. */
export const drawnQuantities = signal<readonly SweepQuantity[]>([]);

let sweepRows: ResultRow[] = [];
let sweepPoints: number[] = [];

/** Milliseconds between two figures of a running sweep. */
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
    ask.precision === undefined ? `${formatGrouped(ask.battles)} battles per cell` : `±${String(ask.precision)}`;
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

/** Redraws the figure with the current cells. */
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

/** Chooses exact answers if all cells are small, else battles. */
export async function chooseDefaultEffort(engine: EngineProxy, ask: SweepRequest): Promise<SweepRequest> {
  return (await engine.sweepIsSmall(ask)) ? { ...ask, battles: 0, exact: 'always' } : ask;
}

/** Number of started sweeps. */
let startCount = 0;

/** Starts a sweep, or resumes it if the cells are the same. @param decide true to choose exact answers or battles */
export async function startSweep(requested: SweepRequest, decide: boolean): Promise<void> {
  const mine = ++startCount;
  await work.start(
    requested.text,
    async (engine, task, onPart) => {
      const ask = decide ? await chooseDefaultEffort(engine, requested) : requested;
      const planned = await engine.sweepPlan(ask);
      // Another sweep has started in the meantime.
      if (mine !== startCount) return false;
      if (plan.value?.hash !== planned.hash) clearResults();
      plan.value = planned;
      requestedSweep.value = ask;
      return await engine.sweep(ask, sweepPoints, task, onPart);
    },
    addPart,
  );
  await redraw();
}

/** Creates the CSV of all rows, as the command line does. */
export async function createSweepCsv(): Promise<string> {
  const axes = plan.value?.axes ?? [];
  return await perform((engine) => engine.sweepCsv(sweepRows, axes));
}
