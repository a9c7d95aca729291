/** The steps of a story: buttons that lead through it, and the list of all. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Step } from '../../engine/battle.ts';
import { Button } from '../parts/button.tsx';
import { Mark } from '../parts/tone.tsx';
import { goTo, lastStep, shownStep, tale } from './told.ts';

/** Milliseconds of a step that is played. */
const PACE = 1200;

function Go({
  to,
  children,
  label,
}: {
  readonly to: number;
  readonly children: ComponentChildren;
  readonly label: string;
}) {
  const out = to === shownStep() || to < 0 || to > lastStep();
  return (
    <Button
      disabled={out}
      aria-label={label}
      title={label}
      onClick={() => {
        goTo(to);
      }}
    >
      {children}
    </Button>
  );
}

/** First, back, play, forward, last. */
export function Stepper() {
  const playing = useSignal(false);
  const at = shownStep();
  const ends = at >= lastStep();
  useEffect(() => {
    if (!playing.value) return;
    const timer = setTimeout(() => {
      if (at < lastStep()) goTo(at + 1);
      else playing.value = false;
    }, PACE);
    return () => {
      clearTimeout(timer);
    };
  }, [playing.value, at]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a toolbar is no fieldset
    <div class="stepper" role="group" aria-label="Steps">
      <Go to={0} label="First step">
        |◀
      </Go>
      <Go to={at - 1} label="One step back">
        ◀
      </Go>
      <Go to={at + 1} label="One step forward">
        ▶
      </Go>
      <Go to={lastStep()} label="Last step">
        ▶|
      </Go>
      <Button
        disabled={ends && !playing.value}
        onClick={() => {
          playing.value = !playing.value;
        }}
      >
        {playing.value && !ends ? 'Pause' : 'Play'}
      </Button>
      <span class="small soft">
        step {String(at + 1)} of {String(lastStep() + 1)}
      </span>
    </div>
  );
}

/** Keys that lead through the story. */
function stepBy(key: string): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return shownStep() + 1;
  if (key === 'ArrowLeft' || key === 'ArrowUp') return shownStep() - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? lastStep() : undefined;
}

function classOf({ opens }: Step, s: number, at: number): string {
  return ['step', ...(opens ? ['opens'] : []), ...(s > at ? ['later'] : [])].join(' ');
}

/** What a step is called in the list. */
export const lineOf = ({ text, notes }: Step): string => (text === '' ? notes.join('; ') : text);

interface StoryProps {
  /** What stands behind some of the steps. */
  readonly marks?: ReadonlyMap<number, ComponentChildren>;
}

/** All steps; arrow keys lead from one to the next. */
export function Story({ marks }: StoryProps) {
  const list = useRef<HTMLDivElement>(null);
  const at = shownStep();
  const steps = tale.value?.steps ?? [];
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
      aria-label="Story"
      tabIndex={0}
      ref={list}
      aria-activedescendant={steps.length > 0 ? `step-${String(at)}` : undefined}
      onKeyDown={(event) => {
        const to = stepBy(event.key);
        if (to === undefined) return;
        event.preventDefault();
        goTo(to);
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
          class={classOf(step, s, at)}
          onClick={() => {
            goTo(s);
          }}
        >
          <span class="said">
            {!step.opens && <Mark tone={step.tone ?? 'none'} />}
            {lineOf(step)}
          </span>
          {marks?.get(s)}
        </div>
      ))}
    </div>
  );
}
