/** Odds at the bottom of narrow screens while the answer is not visible. */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { Odds } from '../answer/odds.tsx';
import { panel } from '../state.ts';

const findAnswerElement = (): Element | null => document.querySelector('.tabs');

/** True if the panels are visible above the dock. */
const isQuestionVisible = signal(false);

function watchVisibility(): () => void {
  const observer = new IntersectionObserver(
    ([entry]) => {
      isQuestionVisible.value = entry?.isIntersecting === true;
    },
    { rootMargin: '0px 0px -180px' },
  );
  const found = findAnswerElement();
  if (found !== null) observer.observe(found);
  return () => {
    observer.disconnect();
  };
}

function goToAnswer(): void {
  panel.value = 'answer';
  findAnswerElement()?.scrollIntoView({ behavior: 'smooth' });
}

export function Dock() {
  useLayoutEffect(watchVisibility, []);
  if (isQuestionVisible.value) return null;
  return (
    <button type="button" class="dock" onClick={goToAnswer}>
      <span class="unseen">Go to the answer: </span>
      <Odds compact />
    </button>
  );
}
