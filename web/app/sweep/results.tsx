/** Results of a sweep: line chart or heat map that fills, table, and files. */
import { useLayoutEffect } from 'preact/hooks';
import { version } from '../../../src/core/index.ts';
import { formatGrouped, formatSweepProgress, type SweepQuantity } from '../../../src/report/index.ts';
import { getFileStem } from '../../engine/file-stem.ts';
import { getFirstOutcome, getQuantityNames, QuantityChoice } from '../figures/choices.tsx';
import { Figure, type SaveFile } from '../figures/figure.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Outdated } from '../parts/outdated.tsx';
import { Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { into } from '../state.ts';
import { sweepNote } from './notes.ts';
import { movePointer, PointedCell, pointAt } from './pointed-cell.tsx';
import {
  createSweepCsv,
  donePoints,
  drawFault,
  drawnQuantities,
  isDrawing,
  plan,
  redraw,
  rejectedPoints,
  requestedSweep,
  shownSweep,
  startSweep,
  work,
} from './run.ts';

/** Maximum number of outcomes in one figure. */
const MAX_LINES = 8;

/** Returns the quantities to draw; one for a heat map. */
function listQuantities(of: string, flat: boolean): SweepQuantity[] {
  const { outcomes, metrics } = getQuantityNames();
  if (metrics.includes(of)) return [{ kind: 'metric', name: of }];
  if (outcomes.includes(of)) return [{ kind: 'outcome', name: of }];
  const all = flat ? outcomes.slice(0, MAX_LINES) : [getFirstOutcome()];
  return all.map((name) => ({ kind: 'outcome', name }));
}

function Progress() {
  const points = plan.value?.points ?? 0;
  const open = !work.busy.value && donePoints.value < points;
  // Until the first figure is ready, which takes a while if the engine is busy.
  const draw = isDrawing.value && shownSweep.value === undefined;
  const ask = requestedSweep.value;
  const words = useElapsed(
    work.busy.value && points > 0 ? donePoints.value : undefined,
    (seconds, before) => formatSweepProgress({ done: donePoints.value, cells: points, before }, seconds, 'cells'),
    points === 0
      ? 'Preparing the cells …'
      : `${formatGrouped(donePoints.value)} of ${formatGrouped(points)} cells${open ? '; stopped' : ''}`,
  );
  if (!work.busy.value && !open && !draw) return null;
  return (
    <p class="progress">
      <progress max={1} {...(points > 0 && { value: donePoints.value / points })} aria-label="Cells done" />
      <span class="small soft">{words}</span>
      {open && ask !== undefined && <Button onClick={() => void startSweep(ask, false)}>Resume</Button>}
      {work.busy.value && <Button onClick={work.stop}>Stop</Button>}
    </p>
  );
}

function RejectedCells() {
  const all = rejectedPoints.value;
  const [first] = all;
  if (first === undefined) return null;
  return (
    <p class="soft small">
      {all.length === 1 ? 'One cell is' : `${formatGrouped(all.length)} cells are`} not allowed by the scenario and left
      out: {first}
    </p>
  );
}

function createSaveFiles(stem: string): SaveFile[] {
  const { yaml = '', yamlName = '' } = plan.value ?? {};
  return [
    { label: 'CSV', name: `${stem}.csv`, type: 'text/csv', content: createSweepCsv },
    { label: 'Sweep file', name: yamlName, type: 'application/yaml', content: yaml },
  ];
}

/** Prints only the table, as a reference card. */
function printCard(): void {
  const { dataset } = document.documentElement;
  dataset['print'] = 'card';
  // Mobile browsers return from print() at once.
  addEventListener('afterprint', () => delete dataset['print'], { once: true });
  print();
}

function Numbers({ open }: { readonly open: boolean }) {
  const found = shownSweep.value;
  if (found === undefined) return null;
  return (
    <details open={open}>
      <summary>Table</summary>
      <div class="printed">
        <h3>{found.title}</h3>
        <p>{plan.value?.battle}</p>
        <Table caption={found.title} heads={found.table.heads} rows={found.table.rows} />
        <p class="small soft">
          {getFileStem(requestedSweep.value?.file ?? '')}
          {requestedSweep.value?.exact === 'always' && ', exact'}; warpool {version()}
        </p>
      </div>
      <p class="saves">
        <Button onClick={printCard}>Print table as card</Button>
      </p>
    </details>
  );
}

function Command() {
  const about = plan.value;
  if (about === undefined) return null;
  return (
    <details>
      <summary>On the command line</summary>
      <p>
        With the sweep file, the command line gives every cell the same seed and digest. The CSV lists them. There is no
        limit on cells.
      </p>
      <Copyable text={about.command} />
    </details>
  );
}

function SweepFigureView({ flat }: { readonly flat: boolean }) {
  const found = shownSweep.value;
  const stem = `${getFileStem(requestedSweep.value?.file ?? '')}-sweep`;
  if (found === undefined) return null;
  return (
    <>
      <Figure
        title={found.title}
        picture={found.picture}
        name={stem}
        files={createSaveFiles(stem)}
        open={work.busy.value}
        onMark={pointAt}
        onKey={movePointer}
      >
        <PointedCell />
      </Figure>
      <Numbers open={flat} />
      <Command />
    </>
  );
}

export function SweepResults() {
  const flat = (plan.value?.axes.length ?? 1) < 2;
  const { of } = sweepNote.value;
  const known = [...getQuantityNames().outcomes, ...getQuantityNames().metrics];
  const wanted = listQuantities(of, flat);
  const key = JSON.stringify([wanted, plan.value?.hash]);
  // A layout effect, because a short sweep may end before the next frame.
  useLayoutEffect(() => {
    drawnQuantities.value = wanted;
    void redraw();
  }, [key]);
  if (plan.value === undefined)
    return work.fault.value === undefined ? <Progress /> : <Problem error={work.fault.value} />;
  return (
    <>
      <div class="controls">
        <QuantityChoice
          label="Show"
          value={flat && !known.includes(of) ? '' : (wanted[0]?.name ?? '')}
          {...(flat && { all: 'all outcomes' })}
          onChoice={into(sweepNote, 'of')}
        />
      </div>
      <Progress />
      {work.fault.value !== undefined && <Problem error={work.fault.value} />}
      {drawFault.value !== undefined && <Problem error={drawFault.value} />}
      <RejectedCells />
      <Outdated of={work.of.value}>
        <SweepFigureView flat={flat} />
      </Outdated>
    </>
  );
}
