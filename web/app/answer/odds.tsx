/** All outcomes as one bar in the colours of the sides: what a player looks at first. */
import {
  type AnswerHeadline,
  formatRoughPercent,
  placedParts,
  preventNumberBreaks,
} from '../../../src/report/index.ts';
import { isStale, shownAnswer } from '../answering.ts';
import { Key, Stack } from '../parts/stack.tsx';
import '../../style/answer.css';

interface OddsBarProps {
  readonly parts: AnswerHeadline['odds'];
  /** One low line, for where it stays in sight. */
  readonly compact?: boolean;
}

/** The bar with what each part is: a picture for the eye, a list for the ear. */
export function OddsBar({ parts, compact = false }: OddsBarProps) {
  const all = placedParts(parts);
  return (
    <div class={compact ? 'odds compact' : 'odds'}>
      <Stack parts={all} numbers />
      <ul aria-label="Odds">
        {all.map((part) => (
          <li key={part.name}>
            <Key part={part} />
            {part.name} <b>{preventNumberBreaks(compact ? formatRoughPercent(part.p) : part.share)}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The odds, and the sentences that they are told in. */
export function OddsAnswer({ answer: { odds, lines } }: { readonly answer: Pick<AnswerHeadline, 'odds' | 'lines'> }) {
  return (
    <>
      <OddsBar parts={odds} />
      {lines.map((line, l) => (
        <p class={l === 0 ? 'lead' : undefined}>{preventNumberBreaks(line)}</p>
      ))}
    </>
  );
}

/** The odds of the scenario as they stand; dimmed while they are those of an older one, nothing before there are some. */
export function Odds({ compact = false }: { readonly compact?: boolean }) {
  const answer = shownAnswer.value;
  if (answer === undefined) return null;
  return (
    <div class={isStale.value ? 'older' : undefined}>
      <OddsBar parts={answer.odds} compact={compact} />
    </div>
  );
}
