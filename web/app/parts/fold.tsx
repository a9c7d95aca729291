import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** From here on there is room for what is folded on phones. */
const ROOM = '(min-width: 700px)';

interface FoldProps {
  readonly title: string;
  /** Whether it is open; unless this is given, it is at first where there is room. */
  readonly open?: Signal<boolean>;
  readonly children: ComponentChildren;
}

/** A section below the odds that can be folded. */
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
