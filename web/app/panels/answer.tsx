/** The answer to the scenario as it stands: exact where affordable, and played. */
import type { Answer, PartAnswer, PlayedAnswer } from '../../engine/answer.ts';
import { OddsBar } from '../answer/odds.tsx';
import { busy, exact, fault, played, shownAnswer, solvePatiently, stale } from '../answering.ts';
import { Bars } from '../parts/bars.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Facts } from '../parts/facts.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Laws } from './answer-laws.tsx';
import { Controls, Progress } from './answer-run.tsx';

function Outcomes({ answer }: { readonly answer: Answer }) {
  const bars = answer.outcomes.map(({ name, p, share, interval, exact: mark }) => ({
    label: name,
    share: p,
    interval,
    mark,
    value: share,
  }));
  return (
    <section>
      <h2>How battles end</h2>
      <div class="beside">
        {bars.length <= 24 && <Bars label="Outcomes by probability" bars={bars} />}
        <div class="natural">
          <Sheet caption="Outcomes" parts={answer.outcomeTable} />
        </div>
      </div>
    </section>
  );
}

function ending(answer: Answer): readonly string[] {
  return 'ending' in answer ? (answer as PlayedAnswer).ending : [];
}

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

function isPlayed(answer: PartAnswer | PlayedAnswer | undefined): answer is PlayedAnswer {
  return answer?.kind === 'played';
}

function Made() {
  const run = isPlayed(played.value) ? played.value : undefined;
  const law = exact.value?.kind === 'exact' ? exact.value : undefined;
  if (run === undefined && law === undefined) return null;
  const solved = law?.facts.filter(([name]) => run === undefined || name === 'solved') ?? [];
  const commands = [...(run ? [run.command] : []), ...(law ? [law.command] : [])];
  return (
    <section>
      <h2>How it was computed</h2>
      <Facts facts={[...(run?.facts ?? []), ...solved]} />
      <p>The same on the command line{run && ', with the same digest'}:</p>
      {commands.map((command) => (
        <Copyable key={command} text={command} />
      ))}
    </section>
  );
}

function Body({ answer }: { readonly answer: Answer }) {
  return (
    <div class={stale.value ? 'older' : undefined}>
      <div class="found">
        <OddsBar parts={answer.odds} />
        {answer.lines.map((line, l) => (
          <p class={l === 0 ? 'lead' : undefined}>{line}</p>
        ))}
        {answer.small.map((line) => (
          <p class="soft small">{line}</p>
        ))}
        {ending(answer).map((line) => (
          <p class="soft small">{line}</p>
        ))}
        <ExactNote />
      </div>
      <Outcomes answer={answer} />
      <section>
        <h2>Metrics</h2>
        <Sheet caption="Metrics" parts={answer.metricTable} />
        <Laws laws={answer.laws} />
      </section>
      {answer.givenTable.length > 0 && (
        <details>
          <summary>Means by outcome</summary>
          <Sheet caption="Means by outcome" parts={answer.givenTable} />
        </details>
      )}
      <Made />
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

export function Panel() {
  const answer = shownAnswer.value;
  return (
    <>
      <Controls />
      <Progress />
      {fault.value !== undefined && <Problem error={fault.value} />}
      {answer !== undefined && <Body answer={answer} />}
      <Spoken />
    </>
  );
}
