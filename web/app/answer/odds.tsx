/** All outcomes as one bar in the colors of the sides. */
import { type AnswerHeadline, formatRoughPercent, placeParts, preventNumberBreaks } from '../../../src/report/index.ts';
import { isStale, shownAnswer } from '../answering.ts';
import { Key, Stack } from '../parts/stack.tsx';
import '../../style/answer.css';

interface OddsBarProps {
  readonly parts: AnswerHeadline['odds'];
  /** True for a single low line. */
  readonly compact?: boolean;
}

/** Bar of odds, with a list of its parts for screen readers. */
export function OddsBar({ parts, compact = false }: OddsBarProps) {
  const all = placeParts(parts);
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

/** Odds with their sentences. */
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

/** Odds of the current scenario; dimmed while they belong to an older one. */
export function Odds({ compact = false }: { readonly compact?: boolean }) {
  const answer = shownAnswer.value;
  if (answer === undefined) return null;
  return (
    <div class={isStale.value ? 'older' : undefined}>
      <OddsBar parts={answer.odds} compact={compact} />
    </div>
  );
}
