/** What one more or one fewer of something does: computed once the section is open and the answer is there. */
import { effect, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { WhatIfRow, WhatIfTable } from '../../../src/tell/odds/what-if.ts';
import { perform } from '../../engine/client.ts';
import type { Done } from '../../engine/compare.ts';
import type { WhatIfFound } from '../../engine/what-if.ts';
import { busy, stale } from '../answering.ts';
import { Running } from '../compare/running.tsx';
import { Button } from '../parts/button.tsx';
import { Older } from '../parts/older.tsx';
import { Work } from '../pictures/work.ts';
import { checkedText, good, seed, text } from '../state.ts';

const work = new Work<WhatIfFound, Done>();

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
  readonly row: WhatIfRow;
  readonly by: 1 | -1;
}

function StepButton({ row: { path, name, value }, by }: StepProps) {
  const label = by > 0 ? `One more ${name}` : `One fewer ${name}`;
  return (
    <Button aria-label={label} title={label} class="button step" onClick={() => void set(path, value + by)}>
      {by > 0 ? '+' : '−'}
    </Button>
  );
}

/** A bar to the right of the middle for what helps, to the left for what does not. */
function Change({ points, most }: { readonly points: number; readonly most: number }) {
  const half = most === 0 ? 0 : (50 * Math.abs(points)) / most;
  return (
    <svg class="change" aria-hidden="true" focusable="false">
      <rect
        class="fill"
        x={`${String(points < 0 ? 50 - half : 50)}%`}
        width={`${String(half)}%`}
        y="20%"
        height="60%"
      />
      <line x1="50%" x2="50%" y1="0" y2="100%" />
    </svg>
  );
}

function Table({ table }: { readonly table: WhatIfTable }) {
  const { side, tone, of, now, lines, rows } = table;
  const most = Math.max(...rows.map(({ points }) => Math.abs(points)));
  const priced = rows.some(({ worth }) => worth !== undefined);
  return (
    <section class={`of-side${String(tone % 6)}`}>
      <h3>{side}</h3>
      {lines.map((line) => (
        <p>{line}</p>
      ))}
      <div class="scroll" role="region" aria-label={`What if ${side}`} tabIndex={0}>
        <table class="if">
          <thead>
            <tr>
              <th scope="col">one more</th>
              <th scope="col" class="n">
                has
              </th>
              <th scope="col">
                {of}: now {now}
              </th>
              <th scope="col" class="n">
                points
              </th>
              <th scope="col" class="n">
                then
              </th>
              {priced && (
                <th scope="col" class="n">
                  price
                </th>
              )}
              {priced && (
                <th scope="col" class="n">
                  points / price
                </th>
              )}
              <th scope="col" class="n">
                one fewer
              </th>
              <th scope="col">change it</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.path}>
                <th scope="row">{row.name}</th>
                <td class="n">{row.value}</td>
                <td>
                  <Change points={row.points} most={most} />
                </td>
                <td class="n">{row.more ?? 'cannot'}</td>
                <td class="n">{row.then}</td>
                {priced && <td class="n">{row.price}</td>}
                {priced && <td class="n">{row.worth}</td>}
                <td class="n">{row.fewer}</td>
                <td>
                  {row.more !== undefined && <StepButton row={row} by={1} />}
                  {row.fewer !== undefined && <StepButton row={row} by={-1} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Found({ found: { tables, complete, exact } }: { readonly found: WhatIfFound }) {
  return (
    <>
      {tables.length === 0 && <p>Nothing of this scenario belongs to one side and can be one more.</p>}
      {tables.map((table) => (
        <Table key={table.side} table={table} />
      ))}
      <p class="soft small">
        {exact
          ? 'All of these are exact.'
          : 'Numbers with ± come of the same battles played both ways; ± is half a 95 % interval.'}{' '}
        Points are percentage points.{!complete && ' Stopped before the end.'}
      </p>
    </>
  );
}

export function WhatIf() {
  useEffect(watch, []);
  const found = work.result.value;
  return (
    <details
      class="fold"
      open={open.value}
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open;
      }}
    >
      <summary>
        <h2>What if there were one more?</h2>
      </summary>
      <Running work={work} what="steps" />
      {found !== undefined && (
        <Older of={work.of.value}>
          <Found found={found} />
        </Older>
      )}
    </details>
  );
}
