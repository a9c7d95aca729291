/** Validates the text in the engine whenever it changes. */
import { batch, effect, signal } from '@preact/signals';
import { engineRestarts } from '../engine/client.ts';
import type { CheckResult } from '../engine/editing/check.ts';
import { inquire } from './inquire.ts';
import { checkedText, checkResult, text } from './state.ts';

/** Milliseconds without a key until a text is validated. */
const PAUSE = 120;

/** Milliseconds until the page shows that a text is being validated. */
const NOTICE_DELAY = 300;

/** True if the validation of a text takes long. */
export const isChecking = signal(false);

function take(value: string, found: CheckResult): void {
  batch(() => {
    checkedText.value = value;
    checkResult.value = found;
    isChecking.value = false;
  });
}

/** Starts to validate the text. @returns a function that stops it */
export function watchText(): () => void {
  return effect(() => {
    const value = text.value;
    // A restarted engine validates the text again.
    const first = engineRestarts.value === 0 && checkedText.peek() === '';
    // The engine state shows a dead engine; canceled validations run again.
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
