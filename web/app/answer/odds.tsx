/** The odds: one bar of all outcomes. */
import type { Answer } from '../../engine/answer.ts';
import { exact, played, stale } from '../answering.ts';

function shownAnswer(): Answer | undefined {
  if (played.value !== undefined) return played.value;
  return exact.value?.kind === 'exact' ? exact.value : undefined;
}

const TONES: Readonly<Record<string, string>> = { attacker: 'side0', defender: 'side1' };

const percent = (p: number): string => `${String(100 * p)}%`;

export function Odds() {
  const answer = shownAnswer();
  if (answer === undefined) return <p class="odds soft">…</p>;
  const shown = answer.outcomes.filter(({ p }) => p > 0);
  const from = shown.map((_, k) => shown.slice(0, k).reduce((sum, { p }) => sum + p, 0));
  return (
    <div class={stale.value ? 'odds older' : 'odds'}>
      <svg class="odds-bar" aria-hidden="true" focusable="false">
        {shown.map(({ name, p }, k) => (
          <rect class={TONES[name] ?? 'nobody'} x={percent(from[k] ?? 0)} y="0" width={percent(p)} height="100%" />
        ))}
      </svg>
      <ul class="odds-names">
        {shown.map(({ name, phrase, share }) => (
          <li key={name}>
            <strong>{share}</strong> {phrase}
          </li>
        ))}
      </ul>
    </div>
  );
}
