/** Functions that compute answers in threads, each loaded with its first task. */
import { type AnswerFunctions, type AnswerReply, type AnswerTask, performAnswer } from '../engines/index.ts';

const ANSWER_FUNCTIONS: AnswerFunctions = {
  solve: async () => (await import('../analysis/solve.ts')).solveWithBudget,
  measureRuleCoverage: async () => (await import('../analysis/rule-coverage.ts')).measureRuleCoverageSync,
  findEquilibrium: async () => (await import('./equilibrium/find-equilibrium.ts')).findEquilibriumSync,
  findBestResponse: async () => (await import('./best-response/best-response.ts')).findBestResponseSync,
};

export const computeAnswer = (task: AnswerTask): Promise<AnswerReply> => performAnswer(task, ANSWER_FUNCTIONS);
