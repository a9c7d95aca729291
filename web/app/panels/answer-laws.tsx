/** The laws of metrics as small histograms. */
import { useState } from 'preact/hooks';
import type { Law } from '../../engine/laws.ts';
import { Bars } from '../parts/bars.tsx';
import { Button } from '../parts/button.tsx';
import { Mark } from '../parts/tone.tsx';

/** Laws that are shown at first. */
const FIRST = 6;

/** `57.6 %` */
function percent(share: number): string {
  if (share === 0) return '0 %';
  return share < 0.0005 ? '<0.05 %' : `${(100 * share).toFixed(1)} %`;
}

function LawBars({ law: { metric, tone, bars } }: { readonly law: Law }) {
  const highest = Math.max(...bars.map(({ share, exact = 0 }) => Math.max(share, exact)));
  const drawn = bars.map(({ label, share, exact }) => ({
    label,
    tone,
    share: share / highest,
    mark: exact === undefined ? undefined : exact / highest,
    value: percent(share),
  }));
  return (
    <figure class="law">
      <figcaption>
        {tone !== undefined && <Mark tone={tone} />}
        {metric}
      </figcaption>
      <Bars label={`Law of ${metric}`} bars={drawn} />
    </figure>
  );
}

export function Laws({ laws }: { readonly laws: readonly Law[] }) {
  const [all, setAll] = useState(false);
  const more = laws.length - FIRST;
  const shown = all ? laws : laws.slice(0, FIRST);
  const marked = shown.some(({ bars }) => bars.some(({ exact }) => exact !== undefined));
  return (
    <>
      {marked && <p class="soft small">A line across a bar is the exact share.</p>}
      <div class="laws">
        {shown.map((law) => (
          <LawBars key={law.metric} law={law} />
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
