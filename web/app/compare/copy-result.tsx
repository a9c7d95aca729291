/** Result of a comparison. */
import { formatGrouped, formatSharePercent, preventNumberBreaks } from '../../../src/report/index.ts';
import { getFileStem } from '../../engine/file-stem.ts';
import type { MetricDistribution } from '../../engine/output/tables.ts';
import type { ComparisonView } from '../../engine/studies/compare.ts';
import { LawFigure } from '../answer/distributions.tsx';
import { Figure } from '../figures/figure.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Facts } from '../parts/facts.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { file } from '../state.ts';

/** Maximum number of distributions. */
const MAX_DISTRIBUTIONS = 6;

function DistributionPair({ distribution: { metric, tone, bars } }: { readonly distribution: MetricDistribution }) {
  const highest = Math.max(...bars.map(({ share, exact = 0 }) => Math.max(share, exact)));
  const drawn = bars.map(({ label, share, exact = 0 }) => ({
    label,
    tone,
    share: share / highest,
    mark: exact / highest,
    value: `${formatSharePercent(share, 1)} → ${formatSharePercent(exact, 1)}`,
  }));
  const label = `Exact distributions of ${metric}: as it is, and changed`;
  return <LawFigure title={metric} tone={tone} label={label} bars={drawn} />;
}

function DistributionPairs({ distributions }: Pick<ComparisonView, 'distributions'>) {
  if (distributions.length === 0) return null;
  return (
    <details>
      <summary>Exact distributions</summary>
      <p class="soft small">Bars: as it is. Lines across bars: changed.</p>
      <div class="laws">
        {distributions.slice(0, MAX_DISTRIBUTIONS).map((distribution) => (
          <DistributionPair key={distribution.metric} distribution={distribution} />
        ))}
      </div>
    </details>
  );
}

export function CopyResult({ result }: { readonly result: ComparisonView }) {
  const {
    lines,
    outcomeTable,
    metricTable,
    notes,
    distributions,
    picture,
    csv,
    command,
    copy,
    facts,
    complete,
    battles,
  } = result;
  const stem = getFileStem(file.value);
  const files = [
    { label: 'CSV', name: `${stem}-comparison.csv`, type: 'text/csv', content: csv },
    { label: 'Changed copy', name: `${stem}-changed.yaml`, type: 'application/yaml', content: copy },
  ];
  return (
    <>
      <div class="found" aria-live="polite">
        {lines.map((line) => (
          <p class="lead">{preventNumberBreaks(line)}</p>
        ))}
        {!complete && <p class="soft small">Stopped after {formatGrouped(battles)} battles.</p>}
      </div>
      <Sheet caption="Outcomes" parts={outcomeTable} />
      <Sheet caption="Metrics" parts={metricTable} />
      <Sheet caption="Notes" parts={notes} />
      <Figure title="Effects on outcomes" picture={picture} name={`${stem}-comparison`} files={files} />
      <DistributionPairs distributions={distributions} />
      <details>
        <summary>Computation</summary>
        <Facts facts={facts} />
        <p>Equivalent command:</p>
        <Copyable text={command} />
      </details>
    </>
  );
}
