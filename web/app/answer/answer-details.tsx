/** Details below the odds: remaining units, variations, luck, tables, computation. */
import { useState } from 'preact/hooks';
import type { AnswerView } from '../../engine/answer.ts';
import type { AnswerTables } from '../../engine/output/tables.ts';
import { exactAnswer, isStale, shownAnswer, simulatedAnswer } from '../answering.ts';
import { Controls } from '../panels/answer-run.tsx';
import { Bars } from '../parts/bars.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Facts } from '../parts/facts.tsx';
import { Fold } from '../parts/fold.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { type CumulativeMode, CumulativeSwitch, DistributionBars, Distributions } from './distributions.tsx';
import { Luck } from './luck.tsx';
import { WhatIf } from './what-if.tsx';

function RemainingMetrics({ answer: { remaining, tables } }: { readonly answer: AnswerView }) {
  const [way, setWay] = useState<CumulativeMode>('least');
  const shown = remaining.flatMap((each) => {
    const distribution = tables?.distributions.find(({ metric }) => metric === each.metric);
    return distribution === undefined ? [] : [{ ...each, distribution }];
  });
  if (shown.length === 0) return null;
  return (
    <section>
      <h2>{shown.every(({ title }) => title.endsWith(' lost')) ? 'Losses' : 'Remaining'}</h2>
      <CumulativeSwitch way={way} onWay={setWay} />
      <div class="laws">
        {shown.map(({ metric, title, distribution, tone }) => (
          <DistributionBars key={metric} distribution={{ ...distribution, tone }} way={way} title={title} exactly />
        ))}
      </div>
    </section>
  );
}

/** Maximum number of outcomes in the bar chart. */
const MAX_PICTURED = 24;

function Outcomes({ tables }: { readonly tables: AnswerTables }) {
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
      <h3>Outcomes</h3>
      <div class="beside">
        {bars.length <= MAX_PICTURED && <Bars label="Outcomes by probability" bars={bars} />}
        <div class="natural">
          <Sheet caption="Outcomes" parts={tables.outcomeTable} />
        </div>
      </div>
    </>
  );
}

function Details({ tables }: { readonly tables: AnswerTables }) {
  return (
    <Fold title="Tables">
      <Outcomes tables={tables} />
      <h3>Metrics</h3>
      <Sheet caption="Metrics" parts={tables.metricTable} />
      <Distributions distributions={tables.distributions} />
      {tables.conditionalMeans.length > 0 && (
        <details>
          <summary>Means by outcome</summary>
          <Sheet caption="Means by outcome" parts={tables.conditionalMeans} />
        </details>
      )}
    </Fold>
  );
}

function Reproduction() {
  const run = simulatedAnswer.value?.kind === 'played' ? simulatedAnswer.value : undefined;
  const distribution = exactAnswer.value?.kind === 'exact' ? exactAnswer.value : undefined;
  const solved = distribution?.facts.filter(([name]) => run === undefined || name === 'solved') ?? [];
  const commands = [...(run ? [run.command] : []), ...(distribution ? [distribution.command] : [])];
  return (
    <Fold title="Computation">
      <Controls />
      {commands.length > 0 && (
        <div class={isStale.value ? 'older' : undefined}>
          <Facts facts={[...(run?.facts ?? []), ...solved]} />
          <p>Equivalent command{run && ', with the same digest'}:</p>
          {commands.map((command) => (
            <Copyable key={command} text={command} />
          ))}
        </div>
      )}
    </Fold>
  );
}

export function AnswerDetails() {
  const answer = shownAnswer.value;
  return (
    <>
      {answer !== undefined && (
        <div class={isStale.value ? 'older' : undefined}>
          <RemainingMetrics answer={answer} />
        </div>
      )}
      {answer !== undefined && <WhatIf />}
      {answer !== undefined && <Luck />}
      {answer?.tables !== undefined && (
        <div class={isStale.value ? 'older' : undefined}>
          <Details tables={answer.tables} />
        </div>
      )}
      <Reproduction />
    </>
  );
}
