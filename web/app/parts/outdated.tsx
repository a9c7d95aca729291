import type { ComponentChildren } from 'preact';
import { text } from '../state.ts';

interface OutdatedProps {
  /** Text of the content. */
  readonly of: string;
  /** Current text, and what it is (default: the scenario). */
  readonly now?: string;
  readonly what?: string;
  readonly children: ComponentChildren;
}

/** Results of a text, marked as outdated when it changes. */
export function Outdated({ of, now = text.value, what = 'scenario', children }: OutdatedProps) {
  const older = of !== now;
  return (
    <>
      {older && <p class="outdated small slowly">The {what} has changed. These results are for the older one.</p>}
      <div class={older ? 'older' : undefined}>{children}</div>
    </>
  );
}
