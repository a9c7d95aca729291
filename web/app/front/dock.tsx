/** The odds while the sides are changed, as long as the answer is not in sight: on narrow screens. */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Odds } from '../answer/odds.tsx';
import { panel } from '../state.ts';

const answer = (): Element | null => document.querySelector('.tabs');

/** Whether what is asked is in sight, above the place of the odds. */
const inSight = signal(false);

function watch(): () => void {
  const observer = new IntersectionObserver(
    ([entry]) => {
      inSight.value = entry?.isIntersecting === true;
    },
    { rootMargin: '0px 0px -180px' },
  );
  const found = answer();
  if (found !== null) observer.observe(found);
  return () => {
    observer.disconnect();
  };
}

function goToAnswer(): void {
  panel.value = 'answer';
  answer()?.scrollIntoView({ behavior: 'smooth' });
}

export function Dock() {
  useLayoutEffect(watch, []);
  if (inSight.value) return null;
  return (
    <button type="button" class="dock" aria-label="The odds: go to the answer" onClick={goToAnswer}>
      <Odds compact />
    </button>
  );
}
