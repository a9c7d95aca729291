import { useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../state.ts';

/** What was selected in the plain field when it went while one was typing in it. */
export interface PlainSelection {
  readonly from: number;
  readonly to: number;
}

let lastSelection: PlainSelection | undefined;

/** Gives what the plain field left behind, once. */
export function takeSelection(): PlainSelection | undefined {
  const found = lastSelection;
  lastSelection = undefined;
  return found;
}

let composing: PromiseWithResolvers<void> | undefined;

/** Resolves when no character is half typed, as those of many scripts are for a while. */
export async function waitForComposition(): Promise<void> {
  await composing?.promise;
}

/** The text of the scenario in a plain field, until the editor is loaded. */
export function PlainEditor() {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = area;
    return () => {
      // Otherwise the selection is where the browser left it, at the end of the text.
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
