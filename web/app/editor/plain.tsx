import { useLayoutEffect, useRef } from 'preact/hooks';
import { text } from '../state.ts';
import { Problems } from './problems.tsx';

/** What was selected in the plain field when it went. */
export interface Left {
  readonly from: number;
  readonly to: number;
  /** One was typing in it. */
  readonly focused: boolean;
}

let left: Left | undefined;

/** Gives what the plain field left behind, once. */
export function takeLeft(): Left | undefined {
  const found = left;
  left = undefined;
  return found;
}

let composing: PromiseWithResolvers<void> | undefined;

/** Resolves when no character is half typed, as those of many scripts are for a while. */
export async function settled(): Promise<void> {
  await composing?.promise;
}

/** The text of the scenario in a plain field, and what is wrong with it: until the editor is loaded. */
export function PlainEditor() {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = area;
    return () => {
      if (current === null) return;
      const { selectionStart: from, selectionEnd: to } = current;
      left = { from, to, focused: document.activeElement === current };
    };
  }, []);
  return (
    <div class="editor">
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
      <Problems />
    </div>
  );
}
