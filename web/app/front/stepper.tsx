/** A number with minus and plus: a tap is one, holding goes on, and the number itself can be typed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Counter } from '../../engine/front.ts';
import { faultOf } from '../editor/changes.ts';
import { count, shownOf } from './counting.ts';

/** Milliseconds that a button is held until it goes on by itself, and between its steps. */
const HOLD = 400;
const AGAIN = 90;

const NUMBER = /^-?\d{1,9}$/;

const within = ({ low, high }: Counter, value: number): number => Math.min(Math.max(value, low), high);

/** What a pointer does to a button that goes on while it is held. */
function useHeld(act: () => void) {
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
    timer.current = setTimeout(go, AGAIN);
  };
  useEffect(() => end, []);
  return {
    onPointerDown: () => {
      end();
      went.current = false;
      timer.current = setTimeout(go, HOLD);
    },
    onPointerUp: end,
    onPointerLeave: end,
    onPointerCancel: end,
    onContextMenu: (event: Event) => {
      event.preventDefault();
    },
    onClick: () => {
      // What was held has stepped already.
      if (!went.current) now.current();
      went.current = false;
    },
  };
}

interface StepProps {
  readonly counter: Counter;
  readonly label: string;
  readonly by: 1 | -1;
}

function Step({ counter, label, by }: StepProps) {
  const value = shownOf(counter);
  const held = useHeld(() => {
    count(counter, within(counter, shownOf(counter) + by));
  });
  return (
    <button
      type="button"
      class="nudge"
      aria-label={`${by > 0 ? 'More' : 'Fewer'}: ${label}`}
      aria-disabled={within(counter, value + by) === value}
      {...held}
    >
      {by > 0 ? '+' : '−'}
    </button>
  );
}

/** Keys that step, as in fields for numbers. */
const KEYS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

export function Stepper({ counter, label }: { readonly counter: Counter; readonly label: string }) {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const value = shownOf(counter);
  const fault = faultOf(counter.place);
  const wrong =
    fault !== undefined ||
    (typed !== undefined && (!NUMBER.test(typed) || within(counter, Number(typed)) !== Number(typed)));
  return (
    <span class="counter" data-place={counter.place}>
      <Step counter={counter} label={label} by={-1} />
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
          if (NUMBER.test(now) && within(counter, Number(now)) === Number(now)) count(counter, Number(now));
        }}
        onKeyDown={(event) => {
          const by = KEYS[event.key];
          if (by === undefined) return;
          event.preventDefault();
          setTyped(undefined);
          count(counter, within(counter, value + by));
        }}
        onBlur={() => {
          setTyped(undefined);
        }}
      />
      <Step counter={counter} label={label} by={1} />
    </span>
  );
}
