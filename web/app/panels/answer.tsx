/** Answer panel: odds first, details below. */
import { preventNumberBreaks } from '../../../src/report/index.ts';
import type { AnswerView } from '../../engine/answer.ts';
import { OddsAnswer } from '../answer/odds.tsx';
import {
  answerFault,
  busy,
  emptySides,
  exactAnswer,
  isStale,
  shownAnswer,
  simulatedAnswer,
  solveWithFullBudget,
} from '../answering.ts';
import { Lazy } from '../lazy.tsx';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { Progress } from './answer-run.tsx';

function ExactNote() {
  const found = exactAnswer.value;
  if (found === undefined || busy.value === 'solving') return null;
  if (found.kind === 'exact') return null;
  return (
    <p class="soft small">
      No exact answer{found.mayRetry && ' yet'}: {found.message}.{' '}
      {found.mayRetry && <Button onClick={() => void solveWithFullBudget()}>Solve longer</Button>}
    </p>
  );
}

const loadSettings = async () => (await import('../answer/settings.tsx')).Settings;

function AnswerBody({ answer }: { readonly answer: AnswerView }) {
  const shown = simulatedAnswer.value;
  return (
    <div class="found">
      <OddsAnswer answer={answer} />
      <Lazy load={loadSettings}>{null}</Lazy>
      {[...answer.finePrint, ...(shown?.kind === 'played' ? shown.stopping : [])].map((line) => (
        <p class="soft small">{preventNumberBreaks(line)}</p>
      ))}
      <ExactNote />
    </div>
  );
}

/** Announcement of the final answer to screen readers. */
function Announcement() {
  const answer = busy.value === 'idle' && !isStale.value ? shownAnswer.value : undefined;
  return (
    <p class="unseen" aria-live="polite">
      {answer?.lines[0]}
    </p>
  );
}

const loadBelow = async () => (await import('../answer/answer-details.tsx')).AnswerDetails;

export function Panel() {
  const answer = shownAnswer.value;
  return (
    <>
      {answerFault.value !== undefined && <Problem error={answerFault.value} />}
      {emptySides.value.length > 0 && <p class="soft">Add units to {emptySides.value.join(' and ')}.</p>}
      {answer !== undefined && (
        <div class={isStale.value ? 'older' : undefined}>
          <AnswerBody answer={answer} />
        </div>
      )}
      <Progress />
      <Lazy load={loadBelow}>{null}</Lazy>
      <Announcement />
    </>
  );
}
