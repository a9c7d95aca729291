/** The laws of metrics as small histograms, of single values or of so much at least or at most. */

import { useState } from 'preact/hooks';
import { plain, sharePercent } from '../../../src/tell/index.ts';
import type { Law, LawBar, LawShare } from '../../engine/tables.ts';
import { type Bar, Bars } from '../parts/bars.tsx';
import { Button } from '../parts/button.tsx';
import { Mark } from '../parts/tone.tsx';

/** Laws that are shown at first. */
const FIRST = 6;

/** How the values are taken together. */
export type Way = 'each' | 'least' | 'most';

const WAYS: readonly (readonly [Way, string])[] = [
  ['least', 'At least'],
  ['each', 'Exactly'],
  ['most', 'At most'],
];

function shareOf(bar: LawBar, way: Way): LawShare {
  if (way === 'least') return bar.least;
  return way === 'most' ? bar.most : bar;
}

function labelOf({ label, from, to }: LawBar, way: Way): string {
  if (way === 'least') return `${plain(from)} or more`;
  return way === 'most' ? `${plain(to)} or fewer` : label;
}

/** The first of all values or more, and the last or fewer, are certain: nobody asks. */
function asked(bars: readonly LawBar[], way: Way): readonly LawBar[] {
  if (way === 'least') return bars.slice(1);
  return way === 'most' ? bars.slice(0, -1) : bars;
}

/** Nearly all battles with one of the bars: a line says it. */
const FLAT = 0.9995;

interface LawProps {
  readonly law: Law;
  readonly way: Way;
  readonly title?: string;
  /** The exact share alone, where it is known. */
  readonly exactly?: boolean;
}

interface LawFigureProps extends Pick<Law, 'tone'> {
  readonly title: string;
  /** For those who do not see it. */
  readonly label: string;
  readonly bars: readonly Bar[];
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

export function LawBars({ law: { metric, tone, bars }, way, title = metric, exactly = false }: LawProps) {
  const flat = bars.find(({ share, exact = share }) => Math.min(share, exact) > FLAT);
  if (flat !== undefined) {
    return (
      <p class="law">
        <b>{title}</b>: {flat.label} in {sharePercent(flat.exact ?? flat.share, 1)} of battles
      </p>
    );
  }
  const shown = asked(bars, way);
  const all = shown.map((bar) => shareOf(bar, way));
  const highest = way === 'each' ? Math.max(...all.map(({ share, exact = 0 }) => Math.max(share, exact))) : 1;
  const drawn = shown.map((bar) => {
    const { share: counted, exact } = shareOf(bar, way);
    const share = exactly ? (exact ?? counted) : counted;
    return {
      label: labelOf(bar, way),
      tone,
      share: share / highest,
      mark: exact === undefined || exactly ? undefined : exact / highest,
      value: sharePercent(exact ?? share, 1),
      thin: way === 'each' && bar.apart,
    };
  });
  return <LawFigure title={title} tone={tone} label={`Law of ${title}`} bars={drawn} />;
}

interface SwitchProps {
  readonly way: Way;
  readonly onWay: (way: Way) => void;
}

/** Which of the three ways. */
export function WaySwitch({ way, onWay }: SwitchProps) {
  return (
    <fieldset class="switch" aria-label="What bars count">
      {WAYS.map(([each, label]) => (
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

/** What the marks and the thin bars mean, where there are some. */
function Legend({ laws, way }: { readonly laws: readonly Law[]; readonly way: Way }) {
  const bars = laws.flatMap((law) => law.bars);
  const marked = bars.some(({ exact }) => exact !== undefined);
  const apart = way === 'each' && bars.some((bar) => bar.apart);
  if (!marked && !apart) return null;
  return (
    <p class="soft small">
      {marked && 'A line across a bar is the exact share, which is the number beside it. '}
      {apart && 'A thin bar holds more or fewer values than the others.'}
    </p>
  );
}

export function Laws({ laws }: { readonly laws: readonly Law[] }) {
  const [all, setAll] = useState(false);
  const [way, setWay] = useState<Way>('each');
  const more = laws.length - FIRST;
  const shown = all ? laws : laws.slice(0, FIRST);
  if (laws.length === 0) return null;
  return (
    <>
      <WaySwitch way={way} onWay={setWay} />
      <Legend laws={shown} way={way} />
      <div class="laws">
        {shown.map((law) => (
          <LawBars key={law.metric} law={law} way={way} />
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
