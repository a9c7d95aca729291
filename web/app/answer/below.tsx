/** All that stands below the odds: what is left, what if, luck, tables, how it was computed. */
import { useState } from 'preact/hooks';
import type { Answer } from '../../engine/answer.ts';
import type { Tables } from '../../engine/tables.ts';
import { exact, played, shownAnswer, stale } from '../answering.ts';
import { Controls } from '../panels/answer-run.tsx';
import { Bars } from '../parts/bars.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Facts } from '../parts/facts.tsx';
import { Fold } from '../parts/fold.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { LawBars, Laws, type Way, WaySwitch } from './laws.tsx';
import { Luck } from './luck.tsx';
import { WhatIf } from './what-if.tsx';

function Left({ answer: { left, tables } }: { readonly answer: Answer }) {
  const [way, setWay] = useState<Way>('least');
  const shown = left.flatMap((each) => {
    const law = tables?.laws.find(({ metric }) => metric === each.metric);
    return law === undefined ? [] : [{ ...each, law }];
  });
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>What is {shown.every(({ title }) => title.endsWith(' lost')) ? 'lost' : 'left'}</h2>
      <WaySwitch way={way} onWay={setWay} />
      <div class="laws">
        {shown.map(({ metric, title, law, tone }) => (
          <LawBars key={metric} law={{ ...law, tone }} way={way} title={title} exactly />
        ))}
      </div>
    </section>
  );
}

/** More outcomes than these are no picture. */
const PICTURED = 24;

function Outcomes({ tables }: { readonly tables: Tables }) {
  const bars = tables.outcomes.map(({ name, tone, p, share, interval, exact: mark }) => ({
    label: name,
    tone,
    share: p,
    interval,
    mark,
    value: share,
  }));
  return (
    <>
      <h3>How battles end</h3>
      <div class="beside">
        {bars.length <= PICTURED && <Bars label="Outcomes by probability" bars={bars} />}
        <div class="natural">
          <Sheet caption="Outcomes" parts={tables.outcomeTable} />
        </div>
      </div>
    </>
  );
}

function Details({ tables }: { readonly tables: Tables }) {
  return (
    <Fold title="Tables">
      <Outcomes tables={tables} />
      <h3>Metrics</h3>
      <Sheet caption="Metrics" parts={tables.metricTable} />
      <Laws laws={tables.laws} />
      {tables.givenTable.length > 0 && (
        <details>
          <summary>Means by outcome</summary>
          <Sheet caption="Means by outcome" parts={tables.givenTable} />
        </details>
      )}
    </Fold>
  );
}

function Made() {
  const run = played.value?.kind === 'played' ? played.value : undefined;
  const law = exact.value?.kind === 'exact' ? exact.value : undefined;
  const solved = law?.facts.filter(([name]) => run === undefined || name === 'solved') ?? [];
  const commands = [...(run ? [run.command] : []), ...(law ? [law.command] : [])];
  return (
    <Fold title="How it was computed">
      <Controls />
      {commands.length > 0 && (
        <div class={stale.value ? 'older' : undefined}>
          <Facts facts={[...(run?.facts ?? []), ...solved]} />
          <p>The same on the command line{run && ', with the same digest'}:</p>
          {commands.map((command) => (
            <Copyable key={command} text={command} />
          ))}
        </div>
      )}
    </Fold>
  );
}

export function Below() {
  const answer = shownAnswer.value;
  return (
    <>
      {answer !== undefined && (
        <div class={stale.value ? 'older' : undefined}>
          <Left answer={answer} />
        </div>
      )}
      {answer !== undefined && <WhatIf />}
      {answer !== undefined && <Luck />}
      {answer?.tables !== undefined && (
        <div class={stale.value ? 'older' : undefined}>
          <Details tables={answer.tables} />
        </div>
      )}
      <Made />
    </>
  );
}
