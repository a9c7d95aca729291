/** Best-response panel: best response of a player, next to a replay. */
import { useEffect } from 'preact/hooks';
import { formatGrouped, preventNumberBreaks } from '../../../src/report/index.ts';
import '../../style/battle.css';
import type {
  BestResponseAnswer,
  BestResponseChoices,
  UnaffordableBestResponse,
} from '../../engine/studies/best-response.ts';
import { BattleChoice } from '../battle/battle-choice.tsx';
import { getShownStep, replay, replayFault as taleFault, watchBattle } from '../battle/replay.ts';
import { ReplaySteps, Stepper } from '../battle/replay-steps.tsx';
import { StepView } from '../battle/step-view.tsx';
import { createStepMarks, formatPayoff, StepAdvice } from '../best-response/advice.tsx';
import {
  bestResponse,
  bestResponseFault,
  busy,
  chooseAgent,
  chooseReward,
  gameOptions,
  getAgent,
  getReward,
  isStopped,
  optionsText,
  QUICK_BUDGET,
  solve,
  stop,
  watchBestResponse,
} from '../best-response/best-response.ts';
import { Button } from '../parts/button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Choice, Options } from '../parts/field.tsx';
import { Outdated } from '../parts/outdated.tsx';
import { Problem } from '../parts/problem.tsx';
import { Sheet } from '../parts/sheet.tsx';

/** Errors too small to change a printed digit. */
const NEGLIGIBLE = 1e-9;

const REWARD_LABELS: Readonly<Record<string, string>> = {
  chance: 'win probability',
  win: 'win 1, loss -1, else 0',
};

function QuestionFields({ sides: { players, rewards } }: { readonly sides: BestResponseChoices }) {
  return (
    <div class="controls">
      <Choice label="Player" value={getAgent()} onChoice={chooseAgent}>
        <Options names={players} />
      </Choice>
      <Choice label="Reward" value={getReward()} onChoice={chooseReward}>
        <Options names={rewards} titles={REWARD_LABELS} />
      </Choice>
      <BattleChoice />
    </div>
  );
}

function BudgetNotice({ found: { message, suggested } }: { readonly found: UnaffordableBestResponse }) {
  return (
    <div class="found">
      <p>No best response: {preventNumberBreaks(message)}.</p>
      {suggested === undefined ? (
        <p>No budget is large enough. Try a scenario with fewer units, lives or rounds.</p>
      ) : (
        <p>
          <Button onClick={() => void solve(suggested)}>Try with {formatGrouped(suggested)} steps</Button>{' '}
          <span class="soft small">
            at most about {formatGrouped(Math.ceil((2 * suggested) / QUICK_BUDGET))} s and{' '}
            {formatGrouped(Math.ceil(suggested / 4000))} MB; other computations wait
          </span>
        </p>
      )}
    </div>
  );
}

/** Formats a player with an article if it is a side without a name. */
const formatPlayer = (player: string): string => (/^(?:attacker|defender)$/.test(player) ? `the ${player}` : player);

function PayoffTable({ found }: { readonly found: BestResponseAnswer }) {
  const { best, given, isProbability, error, decisions } = found;
  const what = isProbability ? 'wins with probability' : 'gets a reward of';
  return (
    <div class="found">
      {decisions === 0 ? (
        <p class="lead">
          In all battles {formatPlayer(getAgent())} makes no decisions: it {what} {formatPayoff(given, isProbability)}.
        </p>
      ) : (
        <p class="lead">
          With its best response {formatPlayer(getAgent())} {what} {formatPayoff(best, isProbability)}; with the
          scenario’s policy {formatPayoff(given, isProbability)}.
        </p>
      )}
      <p class="soft small">
        All other players follow the scenario’s policies; their secret choices are hidden from the player.
        {error > NEGLIGIBLE && ` Distant rounds are left out: the error of both is below ${error.toExponential(0)}.`}
      </p>
    </div>
  );
}

function ReplayAdvice({ found }: { readonly found: BestResponseAnswer }) {
  const reported = replay.value;
  const step = reported?.steps[getShownStep()];
  return (
    <>
      <PayoffTable found={found} />
      {reported !== undefined && step !== undefined && (
        <>
          <h2>
            Battle {formatGrouped(reported.battle)} of seed {reported.seed}
          </h2>
          <Stepper />
          <div class="told">
            <ReplaySteps marks={createStepMarks(found)} />
            <div class="now-shown">
              <StepView tale={reported} step={step} />
              <StepAdvice answer={found} />
            </div>
          </div>
        </>
      )}
      <details>
        <summary>Complete best response</summary>
        <Sheet caption="Best response" parts={found.sheet} />
        {found.command !== undefined && (
          <>
            <p>Equivalent command:</p>
            <Copyable text={found.command} />
          </>
        )}
      </details>
    </>
  );
}

function Body() {
  const found = bestResponse.value;
  if (gameOptions.value?.points.length === 0)
    return <p>Players of this system make no decisions, so there is no best response.</p>;
  if (found?.kind === 'too-large') return <BudgetNotice found={found} />;
  return found === undefined ? null : <ReplayAdvice found={found} />;
}

export function Panel() {
  useEffect(watchBattle, []);
  useEffect(watchBestResponse, []);
  const error = bestResponseFault.value ?? taleFault.value;
  return (
    <div class="battle">
      {gameOptions.value !== undefined && gameOptions.value.points.length > 0 && (
        <QuestionFields sides={gameOptions.value} />
      )}
      <p class="small soft">
        <span role="status">{busy.value ? 'Solving …' : isStopped.value ? 'Stopped.' : ''}</span>{' '}
        {busy.value && <Button onClick={stop}>Stop</Button>}
        {isStopped.value && !busy.value && <Button onClick={() => void solve(QUICK_BUDGET)}>Solve</Button>}
      </p>
      {error !== undefined && <Problem error={error} />}
      <Outdated of={optionsText.value}>
        <Body />
      </Outdated>
    </div>
  );
}
