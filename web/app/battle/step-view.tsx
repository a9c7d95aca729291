/** One step: sentence, observed events, rule and state. */
import type { ReplayStep, ReplayView, StateConstant, StateValue, StateVariable } from '../../engine/studies/battle.ts';
import { Mark } from '../parts/tone.tsx';
import { EventShapes } from './event-shapes.tsx';
import { formatStep } from './replay-steps.tsx';

const formatStateValue = (value: StateValue | undefined): string =>
  value === null || value === undefined ? '-' : String(value);

function StateRow({ standing, at }: { readonly standing: StateVariable; readonly at: number }) {
  const { name, tone, values } = standing;
  const now = formatStateValue(values[at]);
  const before = formatStateValue(values[Math.max(0, at - 1)]);
  return (
    <li class={now === before ? undefined : 'changed'}>
      <span class="name">
        <Mark tone={tone ?? 'none'} />
        {name}
      </span>
      <span class="now">
        {now}
        {now !== before && <span class="soft small"> was {before}</span>}
      </span>
    </li>
  );
}

/** Values that never change: those other than 0, then the names of those that are 0. */
function Constants({ constant }: { readonly constant: readonly StateConstant[] }) {
  const nil = constant.filter(({ value }) => value === 0);
  const rest = constant.filter(({ value }) => value !== 0);
  return (
    <p class="soft small">
      {rest.length > 0 &&
        `Unchanged: ${rest.map(({ name, value }) => `${name} ${formatStateValue(value)}`).join(', ')}. `}
      {nil.length > 0 && `Always 0: ${nil.map(({ name }) => name).join(', ')}.`}
    </p>
  );
}

/** State of the battle: values that change, and constants. */
export function State({ tale: { states }, step }: { readonly tale: ReplayView; readonly step: ReplayStep }) {
  const { changing, constant } = states;
  if (changing.length + constant.length === 0 || step.state < 0) return null;
  return (
    <section class="state" aria-label="State">
      <h3>{step.settled ? 'State after this step' : 'State before this turn'}</h3>
      <ul class="standing">
        {changing.map((standing) => (
          <StateRow key={standing.name} standing={standing} at={step.state} />
        ))}
      </ul>
      {constant.length > 0 && <Constants constant={constant} />}
    </section>
  );
}

function Notes({ step }: { readonly step: ReplayStep }) {
  if (step.text === '' || step.notes.length === 0) return null;
  return (
    <ul class="notes soft small">
      {step.notes.map((note) => (
        <li>{note}</li>
      ))}
    </ul>
  );
}

export function StepView({ tale, step }: { readonly tale: ReplayView; readonly step: ReplayStep }) {
  return (
    <div class="shown">
      <p class="lead" aria-live="polite">
        {step.tone !== undefined && <Mark tone={step.tone} />}
        {formatStep(step)}
      </p>
      <EventShapes events={step.events} colours={tale.colours} tone={step.tone} />
      <Notes step={step} />
      {step.rule !== undefined && (
        <p class="soft small">
          Rule <code>{step.rule.id}</code>: {step.rule.source}
        </p>
      )}
    </div>
  );
}
