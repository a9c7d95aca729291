/** Values of the options at a decision, with the action taken. */
import type { ComponentChildren } from 'preact';
import { formatExact } from '../../../src/report/index.ts';
import type { BestResponseAnswer, DecisionAdvice } from '../../engine/studies/best-response.ts';
import { getShownStep, goToStep } from '../battle/replay.ts';
import { Button } from '../parts/button.tsx';
import { Table } from '../parts/table.tsx';

/** Formats a value: a probability as a percentage, a reward as a number. */
export function formatPayoff(value: number, isProbability: boolean): string {
  return isProbability ? `${formatExact(100 * value, 3)} %` : formatExact(value, 5);
}

/** Creates the marks of decisions, by step. */
export function createStepMarks({ advice, isProbability }: BestResponseAnswer): Map<number, ComponentChildren> {
  return new Map(
    advice.map(({ step, payoffs, loss }) => {
      if (payoffs === undefined) return [step, <span class="mark-of soft">?</span>];
      // Differences of percentages are in percentage points.
      const lost = isProbability ? `${formatExact(100 * loss, 3)} pp` : formatPayoff(loss, isProbability);
      const text = loss > 0 ? `✗ -${lost}` : '✓ best';
      return [step, <span class={loss > 0 ? 'mark-of loses' : 'mark-of soft'}>{text}</span>];
    }),
  );
}

function DecisionOptions({ advice, chance }: { readonly advice: DecisionAdvice; readonly chance: boolean }) {
  const { payoffs, chosen } = advice;
  if (payoffs === undefined)
    return (
      <p>
        Other players made secret choices, so this player cannot distinguish several states. The values of its options
        are unknown.
      </p>
    );
  const what = chance ? 'Win probability' : 'Value';
  return (
    <Table
      caption={`${what} by action, followed by best play or by the policy`}
      heads={[
        { head: 'action', wide: true },
        { head: 'then best', title: `${what} if best play follows`, number: true },
        { head: 'then policy', title: `${what} if the scenario’s policy follows`, number: true },
        { head: 'taken', title: 'Probability that the policy takes it here', number: true },
      ]}
      rows={payoffs.map(({ action, best, given, policy, isBest }) => [
        <Action name={action} isBest={isBest} isTaken={action === chosen} />,
        formatPayoff(best, chance),
        formatPayoff(given, chance),
        `${formatExact(100 * policy, 1)} %`,
      ])}
    />
  );
}

interface ActionProps {
  readonly name: string;
  readonly isBest: boolean;
  readonly isTaken: boolean;
}

function Action({ name, isBest, isTaken }: ActionProps) {
  return (
    <>
      {isBest ? (
        <strong>
          ★{'\u00A0'}
          {name}
        </strong>
      ) : (
        name
      )}
      {(isBest || isTaken) && (
        <span class="soft"> {[...(isBest ? ['best'] : []), ...(isTaken ? ['taken'] : [])].join(', ')}</span>
      )}
    </>
  );
}

function Verdict({
  advice: { chosen, loss, payoffs },
  chance,
}: {
  readonly advice: DecisionAdvice;
  readonly chance: boolean;
}) {
  const top = payoffs?.filter(({ isBest }) => isBest) ?? [];
  const [best] = top;
  if (best === undefined) return null;
  if (loss === 0)
    return (
      <p>
        The policy took <strong>{chosen}</strong>, a best action.
      </p>
    );
  return (
    <p>
      The policy took <strong>{chosen}</strong>: {formatPayoff(best.best - loss, chance)} if best play follows. Best is{' '}
      <strong>{top.map(({ action }) => action).join(' or ')}</strong>: {formatPayoff(best.best, chance)}.
    </p>
  );
}

/** Decision of the current step, and buttons to other decisions. */
export function StepAdvice({ answer: { advice, isProbability } }: { readonly answer: BestResponseAnswer }) {
  const at = getShownStep();
  const here = advice.filter(({ step }) => step === at);
  const next = advice.find(({ step }) => step > at);
  const before = advice.findLast(({ step }) => step < at);
  return (
    <section class="advice" aria-label="Decision">
      {here.length === 0 && <p class="soft">The player makes no decision in this step.</p>}
      {here.map((each) => (
        <>
          <h3>Decision: {each.point}</h3>
          <Verdict advice={each} chance={isProbability} />
          <DecisionOptions advice={each} chance={isProbability} />
        </>
      ))}
      <p>
        <Button
          disabled={before === undefined}
          onClick={() => {
            if (before !== undefined) goToStep(before.step);
          }}
        >
          Previous decision
        </Button>{' '}
        <Button
          disabled={next === undefined}
          onClick={() => {
            if (next !== undefined) goToStep(next.step);
          }}
        >
          Next decision
        </Button>
      </p>
    </section>
  );
}
