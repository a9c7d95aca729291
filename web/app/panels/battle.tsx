/** A battle told: step by step, with what was rolled and drawn. */
import { useEffect } from 'preact/hooks';
import { grouped } from '../../../src/tell/index.ts';
import '../../style/battle.css';
import type { Tale } from '../../engine/battle.ts';
import { askLuck } from '../answer/luck-asked.ts';
import { Notable } from '../battle/notable.tsx';
import { Search } from '../battle/search.tsx';
import { ShownStep, State } from '../battle/shown.tsx';
import { Stepper, Story } from '../battle/steps.tsx';
import { fault, lastStep, shownStep, tale, taleOf, watchBattle } from '../battle/told.ts';
import { WhichBattle } from '../battle/which.tsx';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Older } from '../parts/older.tsx';
import { Problem } from '../parts/problem.tsx';
import { Mark } from '../parts/tone.tsx';

function Ending({ tale: { outcome, phrase, tone, metrics, command } }: { readonly tale: Tale }) {
  return (
    <section aria-label="How it ends">
      <details class="ending" open={shownStep() >= lastStep()}>
        <summary>How it ends</summary>
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
              askLuck(outcome, metrics);
            }}
          >
            Was that luck?
          </Button>
        </div>
      </details>
      <p>The same on the command line:</p>
      <Copyable text={command} />
    </section>
  );
}

function Body({ tale }: { readonly tale: Tale }) {
  const step = tale.steps[shownStep()];
  return (
    <>
      <h2>
        Battle {grouped(tale.battle)} of seed {tale.seed}
      </h2>
      <Stepper />
      <div class="told">
        <Story />
        <div class="now-shown">
          {step === undefined ? <p>Nothing happens in this battle.</p> : <ShownStep tale={tale} step={step} />}
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
        <WhichBattle />
      </div>
      <Notable />
      <Search />
      {fault.value !== undefined && <Problem error={fault.value} />}
      {tale.value !== undefined && (
        <Older of={taleOf.value}>
          <Body tale={tale.value} />
        </Older>
      )}
    </div>
  );
}
