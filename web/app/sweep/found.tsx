/** What came of a sweep: a curve or a map that fills, its numbers, and all of it as files. */
import { useLayoutEffect } from 'preact/hooks';
import { version } from '../../../src/core/index.ts';
import { grouped, longLine, type Quantity } from '../../../src/tell/index.ts';
import { stemOf } from '../../engine/stem.ts';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Older } from '../parts/older.tsx';
import { Problem } from '../parts/problem.tsx';
import { Table } from '../parts/table.tsx';
import { firstOutcome, names, QuantityChoice } from '../pictures/choose.tsx';
import { Figure, type SaveFile } from '../pictures/figure.tsx';
import { into } from '../state.ts';
import { move, Pointed, pointAt } from './pointed.tsx';
import { note } from './question.ts';
import { askedFor, csv, done, drawFault, drawnOf, draws, plan, redraw, refused, shown, start, work } from './run.ts';

/** Outcomes in one picture. */
const LINES = 8;

/** What is drawn: of a map one quantity. */
function quantitiesOf(of: string, flat: boolean): Quantity[] {
  const { outcomes, metrics } = names();
  if (metrics.includes(of)) return [{ kind: 'metric', name: of }];
  if (outcomes.includes(of)) return [{ kind: 'outcome', name: of }];
  const all = flat ? outcomes.slice(0, LINES) : [firstOutcome()];
  return all.map((name) => ({ kind: 'outcome', name }));
}

function Progress() {
  const points = plan.value?.points ?? 0;
  const open = !work.busy.value && done.value < points;
  // Until the first picture is there, which takes an engine that is busy a while.
  const draw = draws.value && shown.value === undefined;
  const ask = askedFor.value;
  const words = useElapsed(
    work.busy.value && points > 0 ? done.value : undefined,
    (seconds, before) => longLine({ done: done.value, cells: points, before }, seconds, 'cells'),
    points === 0
      ? 'Preparing the cells …'
      : `${grouped(done.value)} of ${grouped(points)} cells${open ? '; stopped' : ''}`,
  );
  if (!work.busy.value && !open && !draw) return null;
  return (
    <p class="progress">
      <progress max={1} {...(points > 0 && { value: done.value / points })} aria-label="Cells done" />
      <span class="small soft">{words}</span>
      {open && ask !== undefined && <Button onClick={() => void start(ask, false)}>Resume</Button>}
      {work.busy.value && <Button onClick={work.stop}>Stop</Button>}
    </p>
  );
}

function Refused() {
  const all = refused.value;
  const [first] = all;
  if (first === undefined) return null;
  return (
    <p class="soft small">
      {all.length === 1 ? 'One cell is' : `${grouped(all.length)} cells are`} not allowed by the scenario and left out:{' '}
      {first}
    </p>
  );
}

function filesOf(stem: string): SaveFile[] {
  const { yaml = '', yamlName = '' } = plan.value ?? {};
  return [
    { label: 'CSV', name: `${stem}.csv`, type: 'text/csv', content: csv },
    { label: 'Sweep file', name: yamlName, type: 'application/yaml', content: yaml },
  ];
}

/** Prints the table alone: the odds of a game, to lie in its box. */
function printCard(): void {
  const { dataset } = document.documentElement;
  dataset['print'] = 'card';
  // Browsers of phones return from print() at once.
  addEventListener('afterprint', () => delete dataset['print'], { once: true });
  print();
}

function Numbers({ open }: { readonly open: boolean }) {
  const found = shown.value;
  if (found === undefined) return null;
  return (
    <details open={open}>
      <summary>Table</summary>
      <div class="printed">
        <h3>{found.title}</h3>
        <p>{plan.value?.battle}</p>
        <Table caption={found.title} heads={found.table.heads} rows={found.table.rows} />
        <p class="small soft">
          {stemOf(askedFor.value?.file ?? '')}
          {askedFor.value?.exact === 'always' && ', exact'}; warpool {version()}
        </p>
      </div>
      <p class="saves">
        <Button onClick={printCard}>Print the table as a card</Button>
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
        With the sweep file, every cell has the same seed and the same digest there: the CSV has them. The command line
        has no limit on cells.
      </p>
      <Copyable text={about.command} />
    </details>
  );
}

function Shown({ flat }: { readonly flat: boolean }) {
  const found = shown.value;
  const stem = `${stemOf(askedFor.value?.file ?? '')}-sweep`;
  if (found === undefined) return null;
  return (
    <>
      <Figure
        title={found.title}
        picture={found.picture}
        name={stem}
        files={filesOf(stem)}
        open={work.busy.value}
        onMark={pointAt}
        onKey={move}
      >
        <Pointed />
      </Figure>
      <Numbers open={flat} />
      <Command />
    </>
  );
}

export function Found() {
  const flat = (plan.value?.axes.length ?? 1) < 2;
  const { of } = note.value;
  const known = [...names().outcomes, ...names().metrics];
  const wanted = quantitiesOf(of, flat);
  const key = JSON.stringify([wanted, plan.value?.hash]);
  // At once: a short sweep may be over before a frame is.
  useLayoutEffect(() => {
    drawnOf.value = wanted;
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
          onChoice={into(note, 'of')}
        />
      </div>
      <Progress />
      {work.fault.value !== undefined && <Problem error={work.fault.value} />}
      {drawFault.value !== undefined && <Problem error={drawFault.value} />}
      <Refused />
      <Older of={work.of.value}>
        <Shown flat={flat} />
      </Older>
    </>
  );
}
