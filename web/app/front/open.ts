/** Opens games by name, and questions in words. */
import { batch, signal } from '@preact/signals';
import { openFault } from '../files.ts';
import { openShipped } from '../scenarios.ts';
import { openText, starting, titled } from '../state.ts';
import { HINT, type Question, readQuestion, scenarioOf, understood } from './ask.ts';
import { GAMES, gameOf } from './games.ts';

/** What is typed into the box of the start. */
export const typed = signal('');

/** Says why the question in the box is not understood. */
export function typedProblem(): string {
  const reading = readQuestion(typed.value, GAMES);
  return ('problem' in reading ? reading.problem : undefined) ?? HINT;
}

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
    if (!onStart) openFault.value = undefined;
    const content = scenarioOf(question, asked);
    openText(content, `${question.game.id}.yaml`, onStart);
    titled.value = { text: content, title: asked.trim() };
  });
}

/**
 * Opens what an address names: `game=conquest-dice`, or `ask=10 against 8`. A question that is not understood stays in the
 * box of the start, which says why.
 * @returns whether it could be opened
 */
export async function openNamed(named: URLSearchParams): Promise<boolean> {
  const asked = named.get('ask');
  if (asked === null) return await openGame(named.get('game') ?? '');
  typed.value = asked;
  const found = understood(asked, GAMES);
  if (found === undefined) starting.value = true;
  else openQuestion(found, asked);
  return found !== undefined;
}
