import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface TabsProps {
  /** Accessible name of the tab list. */
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly shown: string;
  readonly onShow: (id: string) => void;
  /** Content of the current tab. */
  readonly children: ComponentChildren;
}

/** Returns the tab that a key selects (WAI-ARIA Authoring Practices, Tabs). */
function getNextTab(key: string, at: number, count: number): number | undefined {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Tabs and the current panel. */
export function Tabs({ label, tabs, shown, onShow, children }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ id }) => id === shown);
    const next = getNextTab(event.key, at, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (next === undefined || tab === undefined) return;
    event.preventDefault();
    onShow(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ id, title }) => (
          <button
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === shown}
            aria-controls={`panel-${id}`}
            tabIndex={id === shown ? 0 : -1}
            onClick={() => {
              onShow(id);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`panel-${shown}`} aria-labelledby={`tab-${shown}`} class="panel">
        {children}
      </div>
    </div>
  );
}
