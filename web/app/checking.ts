/** Looks at the text whenever it has changed, in the engine. */
import { batch, effect, signal } from '@preact/signals';
import { engineRestarts } from '../engine/client.ts';
import type { CheckResult } from '../engine/editing/check.ts';
import { inquire } from './inquire.ts';
import { checkedText, checkResult, text } from './state.ts';

/** Milliseconds without a key after which a text is looked at. */
const PAUSE = 120;

/** Milliseconds after which it is said that a text is still looked at. */
const NOTICE_DELAY = 300;

/** A text has been looked at for a while. */
export const isChecking = signal(false);

function take(value: string, found: CheckResult): void {
  batch(() => {
    checkedText.value = value;
    checkResult.value = found;
    isChecking.value = false;
  });
}

/** Begins to look; gives back what ends it. */
export function watchText(): () => void {
  return effect(() => {
    const value = text.value;
    // An engine that was started anew is asked anew.
    const first = engineRestarts.value === 0 && checkedText.peek() === '';
    // A dead engine is told by its state; what was ended is looked at again.
    const end = inquire(
      (engine) => engine.check(value),
      (found) => {
        take(value, found);
      },
      { pause: first ? 0 : PAUSE, ends: true },
    );
    const saying = setTimeout(() => {
      isChecking.value = checkedText.peek() !== value;
    }, NOTICE_DELAY);
    return () => {
      clearTimeout(saying);
      end();
    };
  });
}
