/** Opens games by name, and questions in words. */
import { batch, signal } from '@preact/signals';
import { openFault } from '../files.ts';
import { openShippedScenario } from '../scenarios.ts';
import { isStartShown, openText, titledText } from '../state.ts';
import { findGame, GAMES } from './games.ts';
import { type BattleQuestion, parseCompleteQuestion, parseQuestion, QUESTION_HINT, writeScenario } from './question.ts';

/** Text of the question box. */
export const typedQuestion = signal('');

/** Returns why the question in the box is not understood. */
export function describeTypedProblem(): string {
  const reading = parseQuestion(typedQuestion.value, GAMES);
  return ('problem' in reading ? reading.problem : undefined) ?? QUESTION_HINT;
}

/** Opens the simplest scenario of a game. @returns whether the game exists */
export async function openGame(id: string): Promise<boolean> {
  const game = findGame(id);
  if (game === undefined) return false;
  openFault.value = undefined;
  await openShippedScenario(game.plain);
  return true;
}

/** Opens a question. @param onStart true to answer it at the start */
export function openQuestion(question: BattleQuestion, requested: string, onStart = false): void {
  batch(() => {
    if (!onStart) openFault.value = undefined;
    const content = writeScenario(question, requested);
    openText(content, `${question.game.id}.yaml`, onStart);
    titledText.value = { text: content, title: requested.trim() };
  });
}

/**
 * Opens the content of an address: `game=conquest-dice`, or `ask=10 against 8`. A question that is not understood stays
 * in the box of the start, with the reason.
 * @returns whether it was opened
 */
export async function openNamed(named: URLSearchParams): Promise<boolean> {
  const requested = named.get('ask');
  if (requested === null) return await openGame(named.get('game') ?? '');
  typedQuestion.value = requested;
  const found = parseCompleteQuestion(requested, GAMES);
  if (found === undefined) isStartShown.value = true;
  else openQuestion(found, requested);
  return found !== undefined;
}
