/** Looks at the text whenever it has changed, in the engine. */
import { batch, effect } from '@preact/signals';
import { engineRestarts, perform } from '../engine/client.ts';
import { checked, checkedText, text } from './state.ts';

/** Milliseconds without a key after which a text is looked at. */
const PAUSE = 120;

async function look(value: string, signal: AbortSignal): Promise<void> {
  try {
    const found = await perform((engine) => engine.check(value), signal);
    if (signal.aborted) return;
    batch(() => {
      checkedText.value = value;
      checked.value = found;
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
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  });
}
