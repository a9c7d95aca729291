/** Opens games by name, and questions in words. */
import { batch, computed, signal } from '@preact/signals';
import { openFault } from '../files.ts';
import { openShipped } from '../scenarios.ts';
import { openings, openText } from '../state.ts';
import { type Question, scenarioOf, understood } from './ask.ts';
import { GAMES, gameOf } from './games.ts';

/** What was not understood of a question, and which opening it was. */
const left = signal<{ readonly missed: readonly string[]; readonly opening: number }>({ missed: [], opening: -1 });

/** What of the question that is shown was not understood. */
export const missed = computed(() => (left.value.opening === openings.value ? left.value.missed : []));

/** Opens the plainest scenario of a game. @returns whether there is such a game */
export async function openGame(id: string): Promise<boolean> {
  const game = gameOf(id);
  if (game === undefined) return false;
  openFault.value = undefined;
  await openShipped(game.plain);
  return true;
}

/** Opens a question that was understood. @param onStart it is answered, and the start stays */
export function openQuestion(question: Question, asked: string, onStart = false): void {
  batch(() => {
    openFault.value = undefined;
    openText(scenarioOf(question, asked), `${question.game.id}.yaml`, onStart);
    left.value = { missed: question.missed, opening: openings.value };
  });
}

/** What an address names: `game=conquest-dice`, or `ask=10 against 8`. @returns whether it could be opened */
export async function openNamed(named: URLSearchParams): Promise<boolean> {
  const asked = named.get('ask');
  if (asked === null) return await openGame(named.get('game') ?? '');
  const found = understood(asked, GAMES);
  if (found === undefined) return false;
  openQuestion(found, asked);
  return true;
}
