/** The odds while the sides are changed, where the answer is further down: on narrow screens. */
import { Odds } from '../answer/odds.tsx';
import { panel } from '../state.ts';

function goToAnswer(): void {
  panel.value = 'answer';
  document.querySelector('.tabs')?.scrollIntoView({ behavior: 'smooth' });
}

export function Dock() {
  return (
    <button type="button" class="dock" aria-label="The odds: go to the answer" onClick={goToAnswer}>
      <Odds compact />
    </button>
  );
}
