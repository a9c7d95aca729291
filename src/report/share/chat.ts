/** An answer as a text for a chat: what is asked, a bar of squares that every chat shows, the odds, and the link. */
import { formatSharedAnswer, type SharedAnswer } from './shared-answer.ts';

/** By tone, as near to the colours of pictures as emoji come. */
const SQUARES = ['🟧', '🟦', '🟩', '🟪', '⬛', '🟨'];
const NOBODY = '⬜';

/** Squares of a bar. */
const BAR_SQUARES = 10;

/** The bar: each part has as many squares as come closest to its share, ten together (largest remainders). */
function createEmojiBar({ parts }: SharedAnswer): string {
  const whole = parts.map(({ p }) => Math.floor(p * BAR_SQUARES));
  const over = BAR_SQUARES - whole.reduce((sum, count) => sum + count, 0);
  const next = [...parts.keys()].toSorted((a, b) => rest(b) - rest(a)).slice(0, over);
  function rest(k: number): number {
    return (parts[k]?.p ?? 0) * BAR_SQUARES - (whole[k] ?? 0);
  }
  const squares = parts.map(({ tone }, k) => {
    const count = (whole[k] ?? 0) + Number(next.includes(k));
    return (tone === undefined ? NOBODY : (SQUARES[tone] ?? NOBODY)).repeat(count);
  });
  return squares.join('');
}

/** @param link the address that asks the question; left out if it is empty */
export function formatChatMessage(told: SharedAnswer, link: string): string {
  const { title, system, of, lines } = told;
  const answer = of === '' ? [createEmojiBar(told), ...lines] : [formatSharedAnswer(told), ...told.left];
  return [`${title} (${system})`, ...answer, ...(link === '' ? [] : [link])].join('\n');
}
