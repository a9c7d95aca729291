/** Opens games by name, and questions in words. */
import { batch, signal } from '@preact/signals';
import { openFault } from '../files.ts';
import { openShipped } from '../scenarios.ts';
import { openText } from '../state.ts';
import { type Question, scenarioOf, understood } from './ask.ts';
import { GAMES, gameOf } from './games.ts';

/** What of the question that is shown was not understood. */
export const missed = signal<readonly string[]>([]);

/** Opens the plainest scenario of a game. @returns whether there is such a game */
export async function openGame(id: string): Promise<boolean> {
  const game = gameOf(id);
  if (game === undefined) return false;
  missed.value = [];
  openFault.value = undefined;
  await openShipped(game.plain);
  return true;
}

/** Opens a question that was understood. @param onStart it is answered, and the start stays */
export function openQuestion(question: Question, asked: string, onStart = false): void {
  batch(() => {
    missed.value = question.missed;
    openFault.value = undefined;
    openText(scenarioOf(question, asked), `${question.game.id}.yaml`, onStart);
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
