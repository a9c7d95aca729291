import type { ComponentChildren } from 'preact';
import { checkedText } from '../state.ts';

interface OlderProps {
  /** The text of the scenario that it is about. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** What came of a scenario; told to be of an older one once that has changed. */
export function Older({ of, children }: OlderProps) {
  const older = of !== checkedText.value;
  return (
    <>
      {older && <p class="changed small">The scenario has changed since; this is of the older one.</p>}
      {children}
    </>
  );
}
