/** Battle panel: replay step by step, with dice and draws. */
import { useEffect } from 'preact/hooks';
import { formatGrouped } from '../../../src/report/index.ts';
import '../../style/battle.css';
import type { ReplayView } from '../../engine/studies/battle.ts';
import { openLuck } from '../answer/luck-note.ts';
import { BattleChoice } from '../battle/battle-choice.tsx';
import { Notable } from '../battle/notable.tsx';
import { getLastStep, getShownStep, replay, replayedText, replayFault, watchBattle } from '../battle/replay.ts';
import { ReplaySteps, Stepper } from '../battle/replay-steps.tsx';
import { Search } from '../battle/search.tsx';
import { State, StepView } from '../battle/step-view.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Outdated } from '../parts/outdated.tsx';
import { Problem } from '../parts/problem.tsx';
import { Mark } from '../parts/tone.tsx';

function Ending({ tale: { outcome, phrase, tone, metrics, command } }: { readonly tale: ReplayView }) {
  return (
    <section aria-label="Result">
      <details class="ending" open={getShownStep() >= getLastStep()}>
        <summary>Result</summary>
        <div class="found">
          <p class="lead">
            <Mark tone={tone ?? 'nobody'} />
            {phrase.charAt(0).toUpperCase() + phrase.slice(1)}.
          </p>
          <ul class="standing">
            {metrics.map(([name, value, of]) => (
              <li>
                <span class="name">
                  <Mark tone={of ?? 'none'} />
                  {name}
                </span>
                <span class="now">{value}</span>
              </li>
            ))}
          </ul>
          <Button
            onClick={() => {
              openLuck(outcome, metrics);
            }}
          >
            Rate this result
          </Button>
        </div>
      </details>
      <p>Equivalent command:</p>
      <Copyable text={command} />
    </section>
  );
}

function Body({ tale }: { readonly tale: ReplayView }) {
  const step = tale.steps[getShownStep()];
  return (
    <>
      <h2>
        Battle {formatGrouped(tale.battle)} of seed {tale.seed}
      </h2>
      <Stepper />
      <div class="told">
        <ReplaySteps />
        <div class="now-shown">
          {step === undefined ? <p>Nothing happens in this battle.</p> : <StepView tale={tale} step={step} />}
          {step !== undefined && <State tale={tale} step={step} />}
        </div>
      </div>
      <Ending tale={tale} />
    </>
  );
}

export function Panel() {
  useEffect(watchBattle, []);
  return (
    <div class="battle">
      <div class="controls">
        <BattleChoice />
      </div>
      <Notable />
      <Search />
      {replayFault.value !== undefined && <Problem error={replayFault.value} />}
      {replay.value !== undefined && (
        <Outdated of={replayedText.value}>
          <Body tale={replay.value} />
        </Outdated>
      )}
    </div>
  );
}
