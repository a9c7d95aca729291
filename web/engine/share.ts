/** What is told of an answer elsewhere: in a picture for a chat, in a frame of another page. */
import { type Told, toldOf } from '../../src/tell/index.ts';
import type { Ask } from './answer.ts';
import { knownAtOnce, MOST, solvable } from './task.ts';

/** Some tenths of a second. */
const STEPS = 400_000;

/**
 * The exact answer, else what was played.
 * @throws InputError for the text
 */
export async function told({ text, seed, effort }: Ask, task: number): Promise<Told> {
  const battles = effort.kind === 'battles' ? Math.min(MOST, effort.battles) : MOST;
  return toldOf(await knownAtOnce(await solvable(text), { seed, battles, steps: STEPS }, task));
}
