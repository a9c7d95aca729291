import type { ComponentChildren } from 'preact';
import { text } from '../state.ts';

interface OutdatedProps {
  /** The text of the scenario that it is about. */
  readonly of: string;
  readonly children: ComponentChildren;
}

/** What came of a scenario; told to be of an older one once that has changed. */
export function Outdated({ of, children }: OutdatedProps) {
  const older = of !== text.value;
  return (
    <>
      {older && <p class="outdated small slowly">The scenario has changed. These results are for the older one.</p>}
      <div class={older ? 'older' : undefined}>{children}</div>
    </>
  );
}
