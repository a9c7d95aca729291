/** What one more or one fewer of something does: computed once the section is open and the answer is there. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type HowFar, unbroken, type WhatIfTable } from '../../../src/tell/index.ts';
import { perform } from '../../engine/client.ts';
import type { WhatIfFound } from '../../engine/compare.ts';
import { busy, stale } from '../answering.ts';
import { Running } from '../compare/running.tsx';
import { Fold } from '../parts/fold.tsx';
import { type Head, Table } from '../parts/table.tsx';
import { Mark, toneClass } from '../parts/tone.tsx';
import { Work } from '../pictures/work.ts';
import { checkedText, good, seed, text } from '../state.ts';

const work = new Work<WhatIfFound, HowFar>();

/** Whether the section is open; it stays so while other panels are shown. */
const open = signal(false);

/** The question that was asked last, whatever came of it. */
let asked = '';

function begin(): void {
  const ask = { text: checkedText.value, seed: seed.value };
  asked = JSON.stringify(ask);
  void work.start(ask.text, (engine, task, tell) => engine.whatIf(ask, task, tell));
}

/** Asks when the answer to the same text is there, and ends what is about an older one. */
function watch(): () => void {
  return effect(() => {
    const current = JSON.stringify({ text: checkedText.value, seed: seed.value });
    if (work.busy.value && (work.of.value !== text.value || current !== asked)) work.stop();
    if (!open.value || good.value === undefined || stale.value || busy.value !== 'idle') return;
    if (current !== asked) begin();
  });
}

async function set(path: string, value: number): Promise<void> {
  const now = text.peek();
  const changed = await perform((engine) => engine.setFields(now, [[path, value]]));
  if (text.peek() === now) text.value = changed;
}

interface StepProps {
  readonly row: WhatIfTable['rows'][number];
}

/** How many there are, and buttons that make it one more or fewer in the scenario. */
function StepButtons({ row: { path, name, value, more, fewer } }: StepProps) {
  const step = (by: number, sign: string, label: string, gives: string | undefined) => (
    <button
      type="button"
      class="button by-one"
      aria-label={label}
      title={label}
      disabled={gives === undefined}
      onClick={() => {
        void set(path, value + by);
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

/** A bar to the right of the middle for what helps, to the left for what does not. */
function Change({ points, most, tone }: { readonly points: number; readonly most: number; readonly tone: number }) {
  const half = most === 0 ? 0 : (50 * Math.abs(points)) / most;
  return (
    <svg class="change" aria-hidden="true" focusable="false">
      <rect
        class={toneClass(tone)}
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
  const priced = rows.some(({ worth }) => worth !== undefined);
  const heads: Head[] = [
    { head: 'what' },
    { head: 'how many' },
    { head: 'one more', number: true, title: 'Percentage points that one more gives' },
    { head: 'then', number: true },
    { head: '' },
    ...(priced
      ? [
          { head: 'price', number: true },
          { head: 'points / price', number: true },
        ]
      : []),
    { head: 'one fewer', number: true, title: 'Percentage points that one fewer gives' },
  ];
  const cells = rows.map((row) => [
    row.name,
    <StepButtons key="steps" row={row} />,
    row.more ?? 'cannot',
    row.after,
    <Change key="bar" points={row.points} most={most} tone={tone} />,
    ...(priced ? [row.price, row.worth] : []),
    row.fewer,
  ]);
  return (
    <section class="if">
      <h3>
        <Mark tone={tone} />
        {side} <small class="soft">{unbroken(`${of}: now ${now}`)}</small>
      </h3>
      {lines.map((line) => (
        <p>{unbroken(line)}</p>
      ))}
      <Table caption={`What if ${side} had one more`} heads={heads} rows={cells} />
    </section>
  );
}

const HOW = {
  exact: 'All of these are exact.',
  played: 'Numbers with ± come of the same battles played both ways; ± is half a 95 % interval.',
};

function Found({ found: { tables, complete, exact } }: { readonly found: WhatIfFound }) {
  return (
    <>
      {tables.map((table) => (
        <SideTable key={table.side} table={table} />
      ))}
      <p class="soft small">
        {tables.length > 0 && `${unbroken(exact ? HOW.exact : HOW.played)} Points are percentage points. `}
        {tables.length === 0 && complete && 'Nothing of this scenario belongs to one side and can be one more.'}
        {!complete && 'Stopped before the end.'}
      </p>
    </>
  );
}

export function WhatIf() {
  useEffect(watch, []);
  return (
    <Fold title="What if there were one more?" open={open}>
      <Running work={work} what="steps">
        {(found) => <Found found={found} />}
      </Running>
    </Fold>
  );
}
