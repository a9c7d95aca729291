/** Number with minus and plus: a tap changes it by one, holding repeats, and it can be typed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ArmyCounter } from '../../engine/editing/army-form.ts';
import { getFieldProblem } from '../editor/form-edits.ts';
import { getShownValue, setCount } from './army-form.ts';

/** Milliseconds until a held button repeats, and between repetitions. */
const HOLD_MILLISECONDS = 400;
const REPEAT_MILLISECONDS = 90;

const NUMBER = /^-?\d{1,9}$/;

const clampValue = ({ low, high }: ArmyCounter, value: number): number => Math.min(Math.max(value, low), high);

/** Returns the event handlers of a button that repeats while it is held. */
function useRepeatWhileHeld(act: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const went = useRef(false);
  const now = useRef(act);
  now.current = act;
  const end = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  const go = (): void => {
    went.current = true;
    now.current();
    timer.current = setTimeout(go, REPEAT_MILLISECONDS);
  };
  useEffect(() => end, []);
  return {
    onPointerDown: () => {
      end();
      went.current = false;
      timer.current = setTimeout(go, HOLD_MILLISECONDS);
    },
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
    onContextMenu: (event: Event) => {
      event.preventDefault();
    },
    onClick: () => {
      // A held button has already acted.
      if (!went.current) now.current();
      went.current = false;
    },
  };
}

interface StepButtonProps {
  readonly counter: ArmyCounter;
  readonly label: string;
  readonly by: 1 | -1;
}

function StepButton({ counter, label, by }: StepButtonProps) {
  const value = getShownValue(counter);
  const held = useRepeatWhileHeld(() => {
    setCount(counter, clampValue(counter, getShownValue(counter) + by));
  });
  return (
    <button
      type="button"
      class="nudge"
      aria-label={`${by > 0 ? 'More' : 'Fewer'}: ${label}`}
      aria-disabled={clampValue(counter, value + by) === value}
      {...held}
    >
      {by > 0 ? '+' : '−'}
    </button>
  );
}

/** Keys that change the number, as in number fields. */
const KEYS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

export function Stepper({ counter, label }: { readonly counter: ArmyCounter; readonly label: string }) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const value = getShownValue(counter);
  const fault = getFieldProblem(counter.place);
  const wrong =
    fault !== undefined ||
    (typed !== undefined && (!NUMBER.test(typed) || clampValue(counter, Number(typed)) !== Number(typed)));
  return (
    <span class="counter" data-place={counter.place}>
      <StepButton counter={counter} label={label} by={-1} />
      <input
        type="text"
        inputMode={counter.low >= 0 ? 'numeric' : 'text'}
        autocomplete="off"
        aria-label={label}
        aria-invalid={wrong}
        title={fault ?? counter.about}
        value={typed ?? String(value)}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
        onInput={({ currentTarget: { value: now } }) => {
          setTyped(now);
          if (NUMBER.test(now) && clampValue(counter, Number(now)) === Number(now)) setCount(counter, Number(now));
        }}
        onKeyDown={(event) => {
          const by = KEYS[event.key];
          if (by === undefined) return;
          event.preventDefault();
          setTyped(undefined);
          setCount(counter, clampValue(counter, value + by));
        }}
        onBlur={() => {
          setTyped(undefined);
        }}
      />
      <StepButton counter={counter} label={label} by={1} />
    </span>
  );
}
