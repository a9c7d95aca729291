/** Distributions of metrics as small histograms, of single or cumulative values. */

import { useState } from 'preact/hooks';
import { formatNumber, formatSharePercent } from '../../../src/report/index.ts';
import type { BarShare, DistributionBar, MetricDistribution } from '../../engine/output/tables.ts';
import { type BarRow, Bars } from '../parts/bars.tsx';
import { Button } from '../parts/button.tsx';
import { Mark } from '../parts/tone.tsx';

/** Number of distributions that are shown at first. */
const INITIALLY_SHOWN = 6;

/** Cumulation of the values: single values, at least, at most. */
export type CumulativeMode = 'each' | 'least' | 'most';

const CUMULATIVE_MODES: readonly (readonly [CumulativeMode, string])[] = [
  ['least', 'At least'],
  ['each', 'Exactly'],
  ['most', 'At most'],
];

function getShare(bar: DistributionBar, way: CumulativeMode): BarShare {
  if (way === 'least') return bar.least;
  return way === 'most' ? bar.most : bar;
}

function formatBarLabel({ label, from, to }: DistributionBar, way: CumulativeMode): string {
  if (way === 'least') return `${formatNumber(from)} or more`;
  return way === 'most' ? `${formatNumber(to)} or fewer` : label;
}

/** Omits the bar that is certain: the first "or more", or the last "or fewer". */
function selectBars(bars: readonly DistributionBar[], way: CumulativeMode): readonly DistributionBar[] {
  if (way === 'least') return bars.slice(1);
  return way === 'most' ? bars.slice(0, -1) : bars;
}

/** Share above which one bar is shown as a sentence. */
const NEARLY_ALL = 0.9995;

interface DistributionProps {
  readonly distribution: MetricDistribution;
  readonly way: CumulativeMode;
  readonly title?: string;
  /** True to show only the exact share if it is known. */
  readonly exactly?: boolean;
}

interface LawFigureProps extends Pick<MetricDistribution, 'tone'> {
  readonly title: string;
  /** Description for screen readers. */
  readonly label: string;
  readonly bars: readonly BarRow[];
}

export function LawFigure({ title, tone, label, bars }: LawFigureProps) {
  return (
    <figure class="law">
      <figcaption>
        {tone !== undefined && <Mark tone={tone} />}
        {title}
      </figcaption>
      <Bars label={label} bars={bars} />
    </figure>
  );
}

export function DistributionBars({
  distribution: { metric, tone, bars },
  way,
  title = metric,
  exactly = false,
}: DistributionProps) {
  const flat = bars.find(({ share, exact = share }) => Math.min(share, exact) > NEARLY_ALL);
  if (flat !== undefined) {
    return (
      <p class="law">
        <b>{title}</b>: {flat.label} in {formatSharePercent(flat.exact ?? flat.share, 1)} of battles
      </p>
    );
  }
  const shown = selectBars(bars, way);
  const all = shown.map((bar) => getShare(bar, way));
  const highest = way === 'each' ? Math.max(...all.map(({ share, exact = 0 }) => Math.max(share, exact))) : 1;
  const drawn = shown.map((bar) => {
    const { share: counted, exact } = getShare(bar, way);
    const share = exactly ? (exact ?? counted) : counted;
    return {
      label: formatBarLabel(bar, way),
      tone,
      share: share / highest,
      mark: exact === undefined || exactly ? undefined : exact / highest,
      value: formatSharePercent(exact ?? share, 1),
      thin: way === 'each' && bar.apart,
    };
  });
  return <LawFigure title={title} tone={tone} label={`Distribution of ${title}`} bars={drawn} />;
}

interface CumulativeSwitchProps {
  readonly way: CumulativeMode;
  readonly onWay: (way: CumulativeMode) => void;
}

/** Buttons that choose the cumulation. */
export function CumulativeSwitch({ way, onWay }: CumulativeSwitchProps) {
  return (
    <fieldset class="switch" aria-label="Bar values">
      {CUMULATIVE_MODES.map(([each, label]) => (
        <button
          key={each}
          type="button"
          class="button"
          aria-pressed={each === way}
          onClick={() => {
            onWay(each);
          }}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/** Legend of marks and thin bars, if there are any. */
function Legend({
  distributions,
  way,
}: {
  readonly distributions: readonly MetricDistribution[];
  readonly way: CumulativeMode;
}) {
  const bars = distributions.flatMap((distribution) => distribution.bars);
  const marked = bars.some(({ exact }) => exact !== undefined);
  const apart = way === 'each' && bars.some((bar) => bar.apart);
  if (!marked && !apart) return null;
  return (
    <p class="soft small">
      {marked && 'A line across a bar marks the exact share, which is the number next to it. '}
      {apart && 'A thin bar covers more or fewer values than the others.'}
    </p>
  );
}

export function Distributions({ distributions }: { readonly distributions: readonly MetricDistribution[] }) {
  const [all, setAll] = useState(false);
  const [way, setWay] = useState<CumulativeMode>('each');
  const more = distributions.length - INITIALLY_SHOWN;
  const shown = all ? distributions : distributions.slice(0, INITIALLY_SHOWN);
  if (distributions.length === 0) return null;
  return (
    <>
      <CumulativeSwitch way={way} onWay={setWay} />
      <Legend distributions={shown} way={way} />
      <div class="laws">
        {shown.map((distribution) => (
          <DistributionBars key={distribution.metric} distribution={distribution} way={way} />
        ))}
      </div>
      {more > 0 && (
        <Button
          onClick={() => {
            setAll(!all);
          }}
        >
          {all ? 'Fewer metrics' : `${String(more)} more metric${more === 1 ? '' : 's'}`}
        </Button>
      )}
    </>
  );
}
