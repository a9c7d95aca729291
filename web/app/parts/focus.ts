/** Focus after one view replaces another. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

let views = 0;

/** Moves the focus to a view that replaces another one, if the element that had the focus is gone. */
export function useLostFocus(): RefObject<HTMLElement | null> {
  const view = useRef<HTMLElement>(null);
  useEffect(() => {
    if (views++ > 0 && document.activeElement === document.body) view.current?.focus({ preventScroll: true });
  }, []);
  return view;
}

/** Scrolls to an element when it appears, possibly below the screen. */
export function scrollIntoView(element: Element | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
