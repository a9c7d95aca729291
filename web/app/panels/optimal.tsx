/** Optimal play of a side, beside a battle that is told. */
import { useEffect } from 'preact/hooks';
import { grouped, unbroken } from '../../../src/tell/index.ts';
import '../../style/battle.css';
import type { OptimalAnswer, Sides, Unaffordable } from '../../engine/optimal.ts';
import { ShownStep } from '../battle/shown.tsx';
import { Stepper, Story } from '../battle/steps.tsx';
import { shownStep, tale, fault as taleFault, watchBattle } from '../battle/told.ts';
import { WhichBattle } from '../battle/which.tsx';
import { AtStep, marksOf, worthOf } from '../optimal/advice.tsx';
import {
  AT_ONCE,
  agent,
  answer,
  busy,
  chooseAgent,
  chooseWish,
  fault,
  sides,
  sidesOf,
  solve,
  stop,
  stopped,
  watchOptimal,
  wish,
} from '../optimal/asked.ts';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Choice, Options } from '../parts/field.tsx';
import { Older } from '../parts/older.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sheet } from '../parts/sheet.tsx';

/** Errors that no figure of the page shows. */
const NEGLIGIBLE = 1e-9;

const WISHES: Readonly<Record<string, string>> = {
  chance: 'to win: a probability',
  win: 'win 1, loss -1, else 0',
};

function Asking({ sides: { players, wishes } }: { readonly sides: Sides }) {
  return (
    <div class="controls">
      <Choice label="Player" value={agent()} onChoice={chooseAgent}>
        <Options names={players} />
      </Choice>
      <Choice label="What it wants" value={wish()} onChoice={chooseWish}>
        <Options names={wishes} titles={WISHES} />
      </Choice>
      <WhichBattle />
    </div>
  );
}

function TooLarge({ found: { message, suggested } }: { readonly found: Unaffordable }) {
  return (
    <div class="found">
      <p>There is no optimum to show: {unbroken(message)}.</p>
      {suggested === undefined ? (
        <p>No budget is large enough here: a scenario with fewer units, lives or rounds may be solved.</p>
      ) : (
        <p>
          <Button onClick={() => void solve(suggested)}>Try with {grouped(suggested)} steps</Button>{' '}
          <span class="soft small">
            about {grouped(Math.ceil((2 * suggested) / AT_ONCE))} s and {grouped(Math.ceil(suggested / 4000))} MB, in
            the worst case; nothing else is computed meanwhile
          </span>
        </p>
      )}
    </div>
  );
}

/** Sides have no names of their own. */
const named = (player: string): string => (/^(?:attacker|defender)$/.test(player) ? `the ${player}` : player);

function Worths({ found }: { readonly found: OptimalAnswer }) {
  const { best, given, chance, error, decisions } = found;
  const what = chance ? 'wins with probability' : 'is worth';
  return (
    <div class="found">
      {decisions === 0 ? (
        <p class="lead">
          No battle asks {named(agent())} anything: it {what} {worthOf(given, chance)} whatever it wants.
        </p>
      ) : (
        <p class="lead">
          By its best response {named(agent())} {what} {worthOf(best, chance)}; by the scenario’s policy{' '}
          {worthOf(given, chance)}.
        </p>
      )}
      <p class="soft small">
        Against the scenario’s policies of all others, whose secret choices the player does not know.
        {error > NEGLIGIBLE && ` Rounds far ahead are left out: both are wrong by less than ${error.toExponential(0)}.`}
      </p>
    </div>
  );
}

function Beside({ found }: { readonly found: OptimalAnswer }) {
  const told = tale.value;
  const step = told?.steps[shownStep()];
  return (
    <>
      <Worths found={found} />
      {told !== undefined && step !== undefined && (
        <>
          <h2>
            Battle {grouped(told.battle)} of seed {told.seed}
          </h2>
          <Stepper />
          <div class="told">
            <Story marks={marksOf(found)} />
            <div class="now-shown">
              <ShownStep tale={told} step={step} />
              <AtStep answer={found} />
            </div>
          </div>
        </>
      )}
      <details>
        <summary>The whole battle by the best response</summary>
        <Sheet caption="Optimal play" parts={found.sheet} />
        {found.command !== undefined && (
          <>
            <p>The same on the command line:</p>
            <Copyable text={found.command} />
          </>
        )}
      </details>
    </>
  );
}

function Body() {
  const found = answer.value;
  if (sides.value?.points.length === 0)
    return <p>Nobody decides anything in this system: there is no play that could be better.</p>;
  if (found?.kind === 'too-large') return <TooLarge found={found} />;
  return found === undefined ? null : <Beside found={found} />;
}

export function Panel() {
  useEffect(watchBattle, []);
  useEffect(watchOptimal, []);
  const error = fault.value ?? taleFault.value;
  return (
    <div class="battle">
      {sides.value !== undefined && sides.value.points.length > 0 && <Asking sides={sides.value} />}
      <p class="small soft">
        <span role="status">{busy.value ? 'Solving …' : stopped.value ? 'Stopped.' : ''}</span>{' '}
        {busy.value && <Button onClick={stop}>Stop</Button>}
        {stopped.value && !busy.value && <Button onClick={() => void solve(AT_ONCE)}>Solve</Button>}
      </p>
      {error !== undefined && <Problem error={error} />}
      <Older of={sidesOf.value}>
        <Body />
      </Older>
    </div>
  );
}
