import type { ComponentChildren } from 'preact';
import { text } from '../state.ts';

interface OutdatedProps {
  /** Scenario text of the content. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** Results of a scenario, marked as outdated when it changes. */
export function Outdated({ of, children }: OutdatedProps) {
  const older = of !== text.value;
  return (
    <>
      {older && <p class="outdated small slowly">The scenario has changed. These results are for the older one.</p>}
      <div class={older ? 'older' : undefined}>{children}</div>
    </>
  );
}
