/** What one step of each field does. */

import { RULESET } from '../../src/answers/digest.ts';
import { type StepSensitivity, stepSensitivity } from '../../src/studies/sensitivity/index.ts';
import { sensitivityPicture } from '../../src/tell/pictures/sensitivity.ts';
import { answered, methodOf } from '../../src/tell/sensitivity.ts';
import { sidesOf } from '../../src/tell/sides.ts';
import { stepParts } from '../../src/tell/steps.ts';
import { commandLine } from '../../src/tell/text/command.ts';
import { scenarioOf } from './check.ts';
import type { Done } from './compare.ts';
import { csvOf } from './csv.ts';
import { type Drawn, draw } from './pictures.ts';
import { partsOf, type SheetPart } from './sheet.ts';
import { solvable } from './solvable.ts';
import { signalOf } from './task.ts';

export interface StudyAsk {
  readonly text: string;
  readonly file: string;
  readonly seed: string;
  /** An outcome or a metric. */
  readonly of: string;
  /** Of each cell that has no exact answer. */
  readonly battles: number;
}

export interface Effects {
  readonly facts: readonly string[];
  readonly table: readonly SheetPart[];
  readonly notes: readonly SheetPart[];
  /** Undefined if no field does anything. */
  readonly picture: Drawn | undefined;
  readonly csv: string;
  /** False if it was stopped. */
  readonly complete: boolean;
  readonly command: string;
}

const COLUMNS = [
  'field',
  'value',
  'down_to',
  'down',
  'down_low',
  'down_high',
  'up_to',
  'up',
  'up_low',
  'up_high',
  'verdict',
];

function csv({ fields }: StepSensitivity): string {
  const step = (effect: StepSensitivity['fields'][number]['up']) =>
    effect === undefined ? [null, null, null, null] : [effect.to, effect.effect, ...effect.ci95];
  return csvOf(
    COLUMNS,
    fields.map(({ path, value, down, up, verdict }) => [path, value, ...step(down), ...step(up), verdict]),
  );
}

function commandOf({ file, of, seed, battles }: StudyAsk): string {
  return commandLine('sensitivity', { file }, '--of', of, '--battles', String(battles), '--seed', seed);
}

async function told(ask: StudyAsk, result: StepSensitivity): Promise<Effects> {
  const moves = result.fields.some(({ verdict }) => verdict !== 'none');
  const [table = [], ...notes] = stepParts(result);
  const sides = sidesOf(scenarioOf(ask.text));
  const footer = `${ask.file}, ${answered(result)}, seed ${result.seed}, ruleset ${RULESET}`;
  return {
    facts: [
      `${result.of}: ${methodOf(result)}`,
      answered(result),
      ...(result.complete ? [] : ['stopped before the end']),
    ],
    table: partsOf(table, sides),
    notes: partsOf(notes.flat()),
    picture: moves ? await draw(sensitivityPicture(result, sides), footer, 'steps') : undefined,
    csv: csv(result),
    complete: result.complete,
    command: commandOf(ask),
  };
}

export const effects = {
  /**
   * Moves every number of the scenario a step up and a step down.
   * @param tell gets how many steps were taken
   * @throws InputError for the text, the name, or if no step is possible
   * @throws RunError if it was stopped before the first step was known
   */
  async stepEffects(ask: StudyAsk, task: number, tell: (done: Done) => void): Promise<Effects> {
    const { text, of, seed, battles } = ask;
    const asked = { of, seed, battles, signal: signalOf(task), onProgress: tell };
    return await told(ask, await stepSensitivity(await solvable(text), asked));
  },
};
