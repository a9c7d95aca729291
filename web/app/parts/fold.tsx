import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** Minimum width at which sections are open by default. */
const ROOM = '(min-width: 700px)';

interface FoldProps {
  readonly title: string;
  /** Open state (default: open if there is room). */
  readonly open?: Signal<boolean>;
  readonly children: ComponentChildren;
}

/** Collapsible section below the odds. */
export function Fold({ title, open, children }: FoldProps) {
  const usual = useSignal(matchMedia(ROOM).matches);
  const shown = open ?? usual;
  return (
    <details
      class="fold"
      open={shown.value}
      onToggle={({ currentTarget }) => {
        shown.value = currentTarget.open;
      }}
    >
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  );
}
