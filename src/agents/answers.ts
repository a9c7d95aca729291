/** Functions that compute answers in threads, each loaded with its first task. */
import { type AnswerFunctions, type AnswerReply, type AnswerTask, performAnswer } from '../engines/index.ts';

const FUNCTIONS: AnswerFunctions = {
  solve: async () => (await import('../studies/solve.ts')).solveWithin,
  coverage: async () => (await import('../studies/coverage.ts')).coverageSync,
  solveCards: async () => (await import('../studies/solve-cards.ts')).solveCardsSync,
  optimal: async () => (await import('./optimal/optimal.ts')).optimalSync,
};

export const answer = (task: AnswerTask): Promise<AnswerReply> => performAnswer(task, FUNCTIONS);
