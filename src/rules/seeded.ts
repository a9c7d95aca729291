/** Plays a battle of a run by the rules as written, and tells which one it was where they fail. */
import { Sampled } from '../core/chance/sampled.ts';
import { Stream } from '../core/chance/stream.ts';
import { type BattleResult, playBattle } from './battle.ts';
import type { Opened } from './opened.ts';
import { toldRules } from './told.ts';

/**
 * Plays battle `index` of run `seed`.
 * @throws RulesError if the rules of the system fail
 */
export function playSeeded(
  open: Opened,
  seed: bigint,
  index: number,
  door = new Sampled(Stream.of(seed, index)),
): BattleResult {
  try {
    return playBattle(open.model, door);
  } catch (error) {
    throw toldRules(error, open, ` in battle ${String(index)} of seed ${String(seed)}`);
  }
}
