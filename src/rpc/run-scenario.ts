/** `run`: battles of a scenario, with or without a folder for their counts. */
import { BATTLES } from '../analysis/index.ts';
import { MAX_BATTLES, parseCount } from '../core/index.ts';
import {
  type RunShardResult,
  type SimulationResult,
  type StoredRunOptions,
  type StoredSimulationResult,
  simulate,
} from '../index.ts';
import * as report from '../report/index.ts';
import { type FunctionDeclaration, readSubject, toOptions } from './call.ts';
import { createOrigin, renderText } from './pages.ts';

/** A run, with its folder if it has one. */
type FinishedRun = SimulationResult & Partial<Pick<StoredSimulationResult, 'store'>>;

/** Requested number of battles: those of the run, if it had a precision. */
const getRequestedBattles = ({ stopping, from, to }: FinishedRun, battles: number | string | undefined): number =>
  stopping === undefined ? parseCount(battles ?? BATTLES, 'battles', 1, MAX_BATTLES) : to - from;

export const runScenario: FunctionDeclaration = {
  library: 'simulate',
  subjects: ['scenario'],
  output: 'result',
  table: ['outcomes', 'metrics'],
  variants: { shard: 'run-shard' },
  async call(call) {
    const { scenario, name } = await readSubject(call);
    const options: StoredRunOptions = toOptions(call);
    const result = (await simulate(scenario, options)) as FinishedRun | RunShardResult;
    if ('shard' in result) {
      const { createRunShardJson, formatRunShardSheet } = await import('../report/run/resumable-run.ts');
      return {
        output: 'run-shard',
        json: createRunShardJson(result, { name }),
        html: (text) => renderText(formatRunShardSheet(result, name, report.PLAIN_STYLE), name, text),
      };
    }
    const requestedBattles = getRequestedBattles(result, options.battles);
    const { store } = result;
    return {
      json: {
        ...report.createRunJson(result, { name }, undefined, requestedBattles),
        ...(store && { store: report.createResumableRunJson(store) }),
      },
      async html(text) {
        const { renderRunPage } = await import('../report/html/commands/run.ts');
        const formatReplay = (battle: number): string =>
          `warpool.replay(${text.subjects[0] ?? ''}, seed=${result.seed}, battle=${String(battle)})`;
        return await renderRunPage(result, undefined, {
          ...createOrigin(name, text),
          requestedBattles,
          replay: formatReplay,
        });
      },
    };
  },
};
