import type { ComponentChildren } from 'preact';
import { getToneClass } from './tone.tsx';

export interface BarRow {
  readonly label: ComponentChildren;
  /** Length of the bar, 0..1 of the whole width. */
  readonly share: number;
  /** Interval 0..1, drawn as a line. */
  readonly interval?: readonly [low: number, high: number] | undefined;
  /** Exact value 0..1, drawn as a mark. */
  readonly mark?: number | undefined;
  /** Text to the right of the bar. */
  readonly value: ComponentChildren;
  /** Tone of its side (default: no side). */
  readonly tone?: number | undefined;
  /** True if its length is not comparable with the others. */
  readonly thin?: boolean;
}

/** Bar as SVG: widths are attributes, because the policy of the page forbids inline styles. */
function BarShape({ share, interval, mark, tone, thin = false }: BarRow) {
  const at = (value: number): string => `${String(100 * Math.min(1, Math.max(0, value)))}%`;
  const [low, high] = interval ?? [0, 0];
  return (
    <svg class="bar" aria-hidden="true" focusable="false">
      <rect class={getToneClass(tone)} x="0" y={thin ? '42%' : '20%'} width={at(share)} height={thin ? '16%' : '60%'} />
      {high > low && <line class="interval" x1={at(low)} x2={at(high)} y1="50%" y2="50%" />}
      {mark !== undefined && <line class="mark" x1={at(mark)} x2={at(mark)} y1="5%" y2="95%" />}
    </svg>
  );
}

/** Bars on a common scale, with their values as text. */
export function Bars({ label, bars }: { readonly label: string; readonly bars: readonly BarRow[] }) {
  return (
    <ul class="bars" aria-label={label}>
      {bars.map((bar) => (
        <li>
          <span class="of">{bar.label}</span>
          <BarShape {...bar} />
          <span class="value">{bar.value}</span>
        </li>
      ))}
    </ul>
  );
}
