/** Looks at the text whenever it has changed, in the engine. */
import { batch, effect, signal } from '@preact/signals';
import { engineRestarts, perform } from '../engine/client.ts';
import { checked, checkedText, text } from './state.ts';

/** Milliseconds without a key after which a text is looked at. */
const PAUSE = 120;

/** Milliseconds after which it is said that a text is still looked at. */
const SAY = 300;

/** A text has been looked at for a while. */
export const checking = signal(false);

async function look(value: string, signal: AbortSignal): Promise<void> {
  try {
    const found = await perform((engine) => engine.check(value), signal);
    if (signal.aborted) return;
    batch(() => {
      checkedText.value = value;
      checked.value = found;
      checking.value = false;
    });
  } catch {
    // A dead engine is told by its state; what was ended is looked at again.
  }
}

/** Begins to look; gives back what ends it. */
export function watchText(): () => void {
  return effect(() => {
    const value = text.value;
    // An engine that was started anew is asked anew.
    const first = engineRestarts.value === 0 && checkedText.peek() === '';
    const controller = new AbortController();
    const timer = setTimeout(() => void look(value, controller.signal), first ? 0 : PAUSE);
    const saying = setTimeout(() => {
      checking.value = checkedText.peek() !== value;
    }, SAY);
    return () => {
      clearTimeout(timer);
      clearTimeout(saying);
      controller.abort();
    };
  });
}
