/** Bar of all outcomes in the colors of the sides. */
import { formatRoughPercent, type PlacedPart } from '../../../src/report/index.ts';
import { getToneClass } from './tone.tsx';
import '../../style/stack.css';

/** Minimum share of a part that shows its number. */
const ROOM = 0.13;

/** Number of shades of a color, each a CSS class. */
const SHADES = 4;

const at = (share: number): string => `${String(100 * share)}%`;

const lookOf = ({ tone, shade }: PlacedPart): string =>
  `${getToneClass(tone)} shade${String(Math.min(shade, SHADES - 1))}`;

interface StackProps {
  readonly parts: readonly PlacedPart[];
  /** True to print shares in parts with enough room. */
  readonly numbers?: boolean;
}

export function Stack({ parts, numbers = false }: StackProps) {
  return (
    <svg class="stack" aria-hidden="true" focusable="false">
      {parts.map((part) => (
        <rect key={part.name} class={lookOf(part)} x={at(part.from)} y="0" width={at(part.p)} height="100%" />
      ))}
      {parts.slice(1).map(({ name, from }) => (
        <line key={name} class="cut" x1={at(from)} x2={at(from)} y1="0" y2="100%" />
      ))}
      {parts
        .filter(({ p }) => numbers && p >= ROOM)
        .map((part) => (
          <text key={part.name} class={lookOf(part)} x={at(part.from + part.p / 2)} y="50%">
            {formatRoughPercent(part.p)}
          </text>
        ))}
    </svg>
  );
}

/** Color of a part, before its name. */
export function Key({ part }: { readonly part: PlacedPart }) {
  return (
    <svg class="key" aria-hidden="true" focusable="false">
      <rect class={lookOf(part)} width="100%" height="100%" />
    </svg>
  );
}
