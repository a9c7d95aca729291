/** Answer for use outside the page: in an image for a chat, in a frame of another page. */
import { createSharedAnswer, type SharedAnswer } from '../../src/report/index.ts';
import type { AnswerRequest } from './answer.ts';
import { computeQuickAnswer, loadSolvableScenario, MAX_QUICK_BATTLES } from './task.ts';

/** Budget of some tenths of a second. */
const MAX_EXACT_STEPS = 400_000;

/**
 * Computes the exact answer, else a simulated one.
 * @throws InputError for the text
 */
export async function createShareAnswer({ text, seed, effort }: AnswerRequest, task: number): Promise<SharedAnswer> {
  const battles = effort.kind === 'battles' ? Math.min(MAX_QUICK_BATTLES, effort.battles) : MAX_QUICK_BATTLES;
  return createSharedAnswer(
    await computeQuickAnswer(await loadSolvableScenario(text), { seed, battles, steps: MAX_EXACT_STEPS }, task),
  );
}
