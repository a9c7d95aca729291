/** The answer to the scenario as it stands: the odds and what they mean first, all else below. */
import { unbroken } from '../../../src/tell/index.ts';
import type { Answer } from '../../engine/answer.ts';
import { Told } from '../answer/odds.tsx';
import { busy, emptySides, exact, fault, played, shownAnswer, solvePatiently, stale } from '../answering.ts';
import { Lazy } from '../lazy.tsx';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { Progress } from './answer-run.tsx';

function ExactNote() {
  const found = exact.value;
  if (found === undefined || busy.value === 'solving') return null;
  if (found.kind === 'exact') return null;
  return (
    <p class="soft small">
      No exact answer{found.patience && ' at once'}: {found.message}.{' '}
      {found.patience && <Button onClick={() => void solvePatiently()}>Solve for some seconds</Button>}
    </p>
  );
}

const loadSettings = async () => (await import('../answer/settings.tsx')).Settings;

function Found({ answer }: { readonly answer: Answer }) {
  const shown = played.value;
  return (
    <div class="found">
      <Told answer={answer} />
      <Lazy load={loadSettings}>{null}</Lazy>
      {[...answer.small, ...(shown?.kind === 'played' ? shown.ending : [])].map((line) => (
        <p class="soft small">{unbroken(line)}</p>
      ))}
      <ExactNote />
    </div>
  );
}

/** Only what is final is read aloud. */
function Spoken() {
  const answer = busy.value === 'idle' && !stale.value ? shownAnswer.value : undefined;
  return (
    <p class="unseen" aria-live="polite">
      {answer?.lines[0]}
    </p>
  );
}

/** What nobody needs with the first look. */
const loadBelow = async () => (await import('../answer/below.tsx')).Below;

export function Panel() {
  const answer = shownAnswer.value;
  return (
    <>
      {fault.value !== undefined && <Problem error={fault.value} />}
      {emptySides.value.length > 0 && <p class="soft">Add units to {emptySides.value.join(' and ')}.</p>}
      {answer !== undefined && (
        <div class={stale.value ? 'older' : undefined}>
          <Found answer={answer} />
        </div>
      )}
      <Progress />
      <Lazy load={loadBelow}>{null}</Lazy>
      <Spoken />
    </>
  );
}
