/** Effect of one more or one fewer of each unit, computed when the section is open and the answer is complete. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type ProgressCount, preventNumberBreaks, type WhatIfTable } from '../../../src/report/index.ts';
import { perform } from '../../engine/client.ts';
import type { WhatIfView } from '../../engine/studies/compare.ts';
import { busy, isStale } from '../answering.ts';
import { RunningStatus } from '../compare/running.tsx';
import { BackgroundWork } from '../figures/background-work.ts';
import { Fold } from '../parts/fold.tsx';
import { Table, type TableHead } from '../parts/table.tsx';
import { getToneClass, Mark } from '../parts/tone.tsx';
import { checkedText, seed, text, validScenario } from '../state.ts';

const work = new BackgroundWork<WhatIfView, ProgressCount>();

/** True if the section is open; kept while other panels are shown. */
const isOpen = signal(false);

/** Key of the last request, whatever its result. */
let requestedKey = '';

function startWhatIf(): void {
  const ask = { text: checkedText.value, seed: seed.value };
  requestedKey = JSON.stringify(ask);
  void work.start(ask.text, (engine, task, onProgress) => engine.whatIf(ask, task, onProgress));
}

/** Starts the computation when the answer to the same text is complete, and stops an older one. */
function watchWhatIf(): () => void {
  return effect(() => {
    const current = JSON.stringify({ text: checkedText.value, seed: seed.value });
    if (work.busy.value && (work.of.value !== text.value || current !== requestedKey)) work.stop();
    if (!isOpen.value || validScenario.value === undefined || isStale.value || busy.value !== 'idle') return;
    if (current !== requestedKey) startWhatIf();
  });
}

async function applyValue(path: string, value: number): Promise<void> {
  const now = text.peek();
  const changed = await perform((engine) => engine.setFields(now, [[path, value]]));
  if (text.peek() === now) text.value = changed;
}

interface WhatIfStepProps {
  readonly row: WhatIfTable['rows'][number];
}

/** Count with buttons that change it by one in the scenario. */
function StepButtons({ row: { path, name, value, more, fewer } }: WhatIfStepProps) {
  const step = (by: number, sign: string, label: string, gives: string | undefined) => (
    <button
      type="button"
      class="button by-one"
      aria-label={label}
      title={label}
      disabled={gives === undefined}
      onClick={() => {
        void applyValue(path, value + by);
      }}
    >
      {sign}
    </button>
  );
  return (
    <span class="one-more">
      {step(-1, '−', `One fewer ${name}`, fewer)}
      <b>{value}</b>
      {step(1, '+', `One more ${name}`, more)}
    </span>
  );
}

/** Bar to the right of the middle for gains, to the left for losses. */
function Change({ points, most, tone }: { readonly points: number; readonly most: number; readonly tone: number }) {
  const half = most === 0 ? 0 : (50 * Math.abs(points)) / most;
  return (
    <svg class="change" aria-hidden="true" focusable="false">
      <rect
        class={getToneClass(tone)}
        x={`${String(points < 0 ? 50 - half : 50)}%`}
        width={`${String(half)}%`}
        y="20%"
        height="60%"
      />
      <line x1="50%" x2="50%" y1="0" y2="100%" />
    </svg>
  );
}

function SideTable({ table }: { readonly table: WhatIfTable }) {
  const { side, tone, of, now, lines, rows } = table;
  const most = Math.max(...rows.map(({ points }) => Math.abs(points)));
  const priced = rows.some(({ valueForPrice }) => valueForPrice !== undefined);
  const heads: TableHead[] = [
    { head: 'unit' },
    { head: 'count' },
    { head: 'one more', number: true, title: 'Change in percentage points for one more' },
    { head: 'new odds', number: true },
    { head: '' },
    ...(priced
      ? [
          { head: 'price', number: true },
          { head: 'points / price', number: true },
        ]
      : []),
    { head: 'one fewer', number: true, title: 'Change in percentage points for one fewer' },
  ];
  const cells = rows.map((row) => [
    row.name,
    <StepButtons key="steps" row={row} />,
    row.more ?? 'not allowed',
    row.after,
    <Change key="bar" points={row.points} most={most} tone={tone} />,
    ...(priced ? [row.price, row.valueForPrice] : []),
    row.fewer,
  ]);
  return (
    <section class="if">
      <h3>
        <Mark tone={tone} />
        {side} <small class="soft">{preventNumberBreaks(`${of}: now ${now}`)}</small>
      </h3>
      {lines.map((line) => (
        <p>{preventNumberBreaks(line)}</p>
      ))}
      <Table caption={`One more or fewer, ${side}`} heads={heads} rows={cells} />
    </section>
  );
}

const METHOD_NOTES = {
  exact: 'All values are exact.',
  played: 'Values with ± are from paired simulations; ± is half a 95 % interval.',
};

function WhatIfResult({ found: { tables, complete, exact } }: { readonly found: WhatIfView }) {
  return (
    <>
      {tables.map((table) => (
        <SideTable key={table.side} table={table} />
      ))}
      <p class="soft small">
        {tables.length > 0 &&
          `${preventNumberBreaks(exact ? METHOD_NOTES.exact : METHOD_NOTES.played)} Points are percentage points. `}
        {tables.length === 0 && complete && 'This scenario has no unit counts to vary.'}
        {!complete && 'Stopped before the end.'}
      </p>
    </>
  );
}

export function WhatIf() {
  useEffect(watchWhatIf, []);
  return (
    <Fold title="One more or fewer" open={isOpen}>
      <RunningStatus work={work} what="steps">
        {(found) => <WhatIfResult found={found} />}
      </RunningStatus>
    </Fold>
  );
}
