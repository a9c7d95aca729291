/** Looks at the text whenever it has changed, in the engine. */
import { batch, effect, signal } from '@preact/signals';
import type { Checked } from '../engine/check.ts';
import { engineRestarts } from '../engine/client.ts';
import { inquire } from './inquire.ts';
import { checked, checkedText, text } from './state.ts';

/** Milliseconds without a key after which a text is looked at. */
const PAUSE = 120;

/** Milliseconds after which it is said that a text is still looked at. */
const SAY = 300;

/** A text has been looked at for a while. */
export const checking = signal(false);

function take(value: string, found: Checked): void {
  batch(() => {
    checkedText.value = value;
    checked.value = found;
    checking.value = false;
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
      checking.value = checkedText.peek() !== value;
    }, SAY);
    return () => {
      clearTimeout(saying);
      end();
    };
  });
}
