/** Steps of a replay: navigation buttons and the list of all steps. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ReplayStep } from '../../engine/studies/battle.ts';
import { Button } from '../parts/button.tsx';
import { Mark } from '../parts/tone.tsx';
import { getLastStep, getShownStep, goToStep, replay } from './replay.ts';

/** Milliseconds per step of automatic playback. */
const STEP_MILLISECONDS = 1200;

function StepButton({
  to,
  children,
  label,
}: {
  readonly to: number;
  readonly children: ComponentChildren;
  readonly label: string;
}) {
  const out = to === getShownStep() || to < 0 || to > getLastStep();
  return (
    <Button
      disabled={out}
      aria-label={label}
      title={label}
      onClick={() => {
        goToStep(to);
      }}
    >
      {children}
    </Button>
  );
}

/** Buttons: first, back, forward, last, play. */
export function Stepper() {
  const playing = useSignal(false);
  const at = getShownStep();
  const ends = at >= getLastStep();
  useEffect(() => {
    if (!playing.value) return;
    const timer = setTimeout(() => {
      if (at < getLastStep()) goToStep(at + 1);
      else playing.value = false;
    }, STEP_MILLISECONDS);
    return () => {
      clearTimeout(timer);
    };
  }, [playing.value, at]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a toolbar is no fieldset
    <div class="stepper" role="group" aria-label="Steps">
      <StepButton to={0} label="First step">
        |◀
      </StepButton>
      <StepButton to={at - 1} label="One step back">
        ◀
      </StepButton>
      <StepButton to={at + 1} label="One step forward">
        ▶
      </StepButton>
      <StepButton to={getLastStep()} label="Last step">
        ▶|
      </StepButton>
      <Button
        disabled={ends && !playing.value}
        onClick={() => {
          playing.value = !playing.value;
        }}
      >
        {playing.value && !ends ? 'Pause' : 'Play'}
      </Button>
      <span class="small soft">
        step {String(at + 1)} of {String(getLastStep() + 1)}
      </span>
    </div>
  );
}

/** Returns the step that a key selects. */
function getStepForKey(key: string): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return getShownStep() + 1;
  if (key === 'ArrowLeft' || key === 'ArrowUp') return getShownStep() - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? getLastStep() : undefined;
}

function getStepClass({ opens }: ReplayStep, s: number, at: number): string {
  return ['step', ...(opens ? ['opens'] : []), ...(s > at ? ['later'] : [])].join(' ');
}

/** Returns the text of a step in the list. */
export const formatStep = ({ text, notes }: ReplayStep): string => (text === '' ? notes.join('; ') : text);

interface ReplayStepsProps {
  /** Content after some of the steps, by step. */
  readonly marks?: ReadonlyMap<number, ComponentChildren>;
}

/** List of all steps, navigated by arrow keys. */
export function ReplaySteps({ marks }: ReplayStepsProps) {
  const list = useRef<HTMLDivElement>(null);
  const at = getShownStep();
  const steps = replay.value?.steps ?? [];
  useEffect(() => {
    const option = list.current?.querySelector<HTMLElement>('[aria-selected=true]');
    const box = list.current;
    if (option === null || option === undefined || box === null) return;
    const [above, below] = [option.offsetTop, option.offsetTop + option.offsetHeight];
    if (above < box.scrollTop) box.scrollTop = above;
    else if (below > box.scrollTop + box.clientHeight) box.scrollTop = below - box.clientHeight;
  }, [at, steps]);
  return (
    <div
      class="story"
      role="listbox"
      aria-label="Replay"
      tabIndex={0}
      ref={list}
      aria-activedescendant={steps.length > 0 ? `step-${String(at)}` : undefined}
      onKeyDown={(event) => {
        const to = getStepForKey(event.key);
        if (to === undefined) return;
        event.preventDefault();
        goToStep(to);
      }}
    >
      {steps.map((step, s) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the list
        <div
          key={s}
          id={`step-${String(s)}`}
          role="option"
          tabIndex={-1}
          aria-selected={s === at}
          class={getStepClass(step, s, at)}
          onClick={() => {
            goToStep(s);
          }}
        >
          <span class="said">
            {!step.opens && <Mark tone={step.tone ?? 'none'} />}
            {formatStep(step)}
          </span>
          {marks?.get(s)}
        </div>
      ))}
    </div>
  );
}
