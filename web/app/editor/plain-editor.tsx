import { useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../state.ts';

/** Selection of the plain text field when it was removed while it had the focus. */
export interface PlainSelection {
  readonly from: number;
  readonly to: number;
}

let lastSelection: PlainSelection | undefined;

/** Returns the last selection of the plain field, and clears it. */
export function takeSelection(): PlainSelection | undefined {
  const found = lastSelection;
  lastSelection = undefined;
  return found;
}

let composing: PromiseWithResolvers<void> | undefined;

/** Resolves when no input method composition is in progress. */
export async function waitForComposition(): Promise<void> {
  await composing?.promise;
}

/** Plain text field, shown until the editor is loaded. */
export function PlainEditor() {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = area;
    return () => {
      // Without focus, the selection is at the end of the text.
      if (current === null || document.activeElement !== current) return;
      const { selectionStart: from, selectionEnd: to } = current;
      lastSelection = { from, to };
    };
  }, []);
  return (
    <textarea
      ref={area}
      aria-label="Scenario, in YAML or JSON"
      spellcheck={false}
      value={text.value}
      onInput={({ currentTarget }) => {
        text.value = currentTarget.value;
      }}
      onCompositionStart={() => {
        composing = Promise.withResolvers();
      }}
      onCompositionEnd={() => {
        composing?.resolve();
        composing = undefined;
      }}
    />
  );
}
