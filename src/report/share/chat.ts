/** Result as text for a chat: title, a bar of emoji squares, odds, and link. */
import { formatSharedAnswer, type SharedAnswer } from './shared-answer.ts';

/** Emoji by tone, similar to the colors of figures. */
const SQUARES = ['🟧', '🟦', '🟩', '🟪', '⬛', '🟨'];
const NOBODY = '⬜';

/** Number of squares of a bar. */
const BAR_SQUARES = 10;

/** Creates a bar of ten squares, allocated by the largest remainder method. */
function createEmojiBar({ parts }: SharedAnswer): string {
  const whole = parts.map(({ p }) => Math.floor(p * BAR_SQUARES));
  const over = BAR_SQUARES - whole.reduce((sum, count) => sum + count, 0);
  const next = [...parts.keys()].toSorted((a, b) => sumRest(b) - sumRest(a)).slice(0, over);
  function sumRest(k: number): number {
    return (parts[k]?.p ?? 0) * BAR_SQUARES - (whole[k] ?? 0);
  }
  const squares = parts.map(({ tone }, k) => {
    const count = (whole[k] ?? 0) + Number(next.includes(k));
    return (tone === undefined ? NOBODY : (SQUARES[tone] ?? NOBODY)).repeat(count);
  });
  return squares.join('');
}

/** @param link URL of the scenario; omitted if empty */
export function formatChatMessage(reported: SharedAnswer, link: string): string {
  const { title, system, of, lines } = reported;
  const answer = of === '' ? [createEmojiBar(reported), ...lines] : [formatSharedAnswer(reported), ...reported.left];
  return [`${title} (${system})`, ...answer, ...(link === '' ? [] : [link])].join('\n');
}
