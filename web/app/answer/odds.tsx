/** All outcomes as one bar in the colours of the sides: what a player looks at first. */
import { type Lead, type OddsPart, unbroken } from '../../../src/tell/index.ts';
import { shownAnswer, stale } from '../answering.ts';
import { toneClass } from '../parts/tone.tsx';
import '../../style/answer.css';

/** A number within its part needs so much of the width. */
const ROOM = 0.13;

const at = (share: number): string => `${String(100 * share)}%`;

/** Parts that nobody wins are told apart by how light they are. */
const classOf = ({ tone }: OddsPart, unwon: number): string =>
  tone === undefined ? `${toneClass()} nobody${String(Math.min(unwon, 3))}` : toneClass(tone);

interface Placed {
  readonly part: OddsPart;
  readonly from: number;
  readonly look: string;
}

function placed(parts: readonly OddsPart[]): Placed[] {
  let [from, unwon] = [0, 0];
  return parts.map((part) => {
    const each = { part, from, look: classOf(part, unwon) };
    from += part.p;
    if (part.tone === undefined) unwon++;
    return each;
  });
}

function Stack({ all }: { readonly all: readonly Placed[] }) {
  return (
    <svg class="stack" aria-hidden="true" focusable="false">
      {all.map(({ part, from, look }) => (
        <rect key={part.name} class={look} x={at(from)} y="0" width={at(part.p)} height="100%" />
      ))}
      {all
        .filter(({ from }) => from > 0)
        .map(({ part, from }) => (
          <line key={part.name} class="cut" x1={at(from)} x2={at(from)} y1="0" y2="100%" />
        ))}
      {all
        .filter(({ part }) => part.p >= ROOM)
        .map(({ part, from, look }) => (
          <text key={part.name} class={look} x={at(from + part.p / 2)} y="50%">
            {part.rough}
          </text>
        ))}
    </svg>
  );
}

interface OddsBarProps {
  readonly parts: readonly OddsPart[];
  /** One low line, for where it stays in sight. */
  readonly compact?: boolean;
}

/** The bar with what each part is: a picture for the eye, a list for the ear. */
export function OddsBar({ parts, compact = false }: OddsBarProps) {
  const all = placed(parts);
  return (
    <div class={compact ? 'odds compact' : 'odds'}>
      <Stack all={all} />
      <ul aria-label="Odds">
        {all.map(({ part, look }) => (
          <li key={part.name}>
            <svg class="key" aria-hidden="true" focusable="false">
              <rect class={look} width="100%" height="100%" />
            </svg>
            {part.label} <b>{unbroken(compact ? part.rough : part.share)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The odds, and the sentences that they are told in. */
export function Told({ answer: { odds, lines } }: { readonly answer: Pick<Lead, 'odds' | 'lines'> }) {
  return (
    <>
      <OddsBar parts={odds} />
      {lines.map((line, l) => (
        <p class={l === 0 ? 'lead' : undefined}>{unbroken(line)}</p>
      ))}
    </>
  );
}

/** The odds of the scenario as they stand; dimmed while they are those of an older one, nothing before there are some. */
export function Odds({ compact = false }: { readonly compact?: boolean }) {
  const answer = shownAnswer.value;
  if (answer === undefined) return null;
  return (
    <div class={stale.value ? 'older' : undefined}>
      <OddsBar parts={answer.odds} compact={compact} />
    </div>
  );
}
