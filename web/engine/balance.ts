/** What makes it even: values of a field with which an outcome or metric comes to a target. */
import { RULESET } from '../../src/answers/index.ts';
import {
  type Balance,
  balance as balancing,
  type GaugedSetting,
  type StepSensitivity,
  stepSensitivity,
} from '../../src/studies/index.ts';
import {
  answered,
  balancePicture,
  balanceTable,
  balanceVerdict,
  commandLine,
  type HowFar,
  knownTo,
  methodOf,
  plain,
  reachOf,
  sensitivityPicture,
  shownSettings,
  sidesOf,
  stepParts,
  trustOf,
  valueText,
  wantedScaleOf,
} from '../../src/tell/index.ts';
import { scenarioOf } from './check.ts';
import { type Change, csvOf, type Drawn, draw } from './pictures.ts';
import { partsOf, type SheetPart } from './sheet.ts';
import { signalOf, solvable } from './task.ts';

export interface BalanceAsk extends StudyAsk {
  readonly field: string;
  /** Where it is searched; around its present value unless given. */
  readonly range?: readonly [low: number, high: number] | undefined;
  /** A probability 0..1, or a mean. */
  readonly target: number;
  readonly tolerance: number;
}

/** A value that may be taken into the scenario. */
export interface Found {
  /** `attacker.hp = 12` */
  readonly label: string;
  /** `50.3 %, known to 50.2 .. 50.4 %` */
  readonly gives: string;
  readonly changes: readonly Change[];
}

export interface Balanced {
  readonly met: boolean;
  readonly verdict: string;
  readonly table: readonly SheetPart[];
  readonly notes: readonly string[];
  /** What meets the target, the nearest first; or the nearest, if nothing does. What the scenario has is left out. */
  readonly found: readonly Found[];
  readonly picture: Drawn | undefined;
  readonly csv: string;
  /** False if it was stopped. */
  readonly complete: boolean;
  readonly command: string;
}

/** Settings that are offered. */
const OFFERED = 6;

function foundOf(result: Balance, setting: GaugedSetting): Found {
  const { fields } = result;
  const scale = wantedScaleOf(result);
  const changes = fields.map(({ path }, f): Change => [path, setting.values[f] ?? 0]);
  const interval = setting.interval === undefined ? 'exact' : knownTo(scale, setting);
  return {
    label: changes.map(([path, value]) => `${path} = ${plain(Number(value))}`).join(', '),
    gives: `${valueText(scale, setting)}, ${interval}`,
    changes,
  };
}

function csv(result: Balance): string {
  const columns = [...result.fields.map(({ path }) => path), 'value', 'low', 'high', 'verdict', 'battles'];
  return csvOf(
    columns,
    shownSettings(result).map(({ values, value, interval, verdict, battles }) => [
      ...values,
      value,
      ...(interval ?? [null, null]),
      verdict,
      battles,
    ]),
  );
}

const rangeText = (range: BalanceAsk['range']): string =>
  range === undefined ? '' : `=${range.map(String).join('..')}`;

function commandOf({ file, field, range, of, target, tolerance, seed, battles }: BalanceAsk): string {
  const wish = ['--vary', field + rangeText(range), '--target', `${of}=${String(target)}`];
  const how = ['--tolerance', String(tolerance), '--battles', String(battles), '--seed', seed];
  return commandLine('balance', { file }, ...wish, ...how);
}

async function told(ask: BalanceAsk, result: Balance): Promise<Balanced> {
  const shown = shownSettings(result);
  const picture = balancePicture(result, shown, sidesOf(scenarioOf(ask.text)));
  const isPresent = ({ values }: GaugedSetting): boolean => values.join() === result.present?.values.join();
  const offered = (result.meeting.length > 0 ? result.meeting : [result.nearest]).filter((each) => !isPresent(each));
  return {
    met: result.met,
    verdict: balanceVerdict(result),
    table: partsOf(balanceTable(result)),
    notes: [...reachOf(result), ...trustOf(result)],
    found: offered.slice(0, OFFERED).map((setting) => foundOf(result, setting)),
    picture: picture && (await draw(picture, `${ask.file}, seed ${result.seed}, ruleset ${RULESET}`, 'even')),
    csv: csv(result),
    complete: result.finished,
    command: commandOf(ask),
  };
}

export const balance = {
  /**
   * Searches a field.
   * @throws InputError for the text, the field, its range or the target
   * @throws RunError if it was stopped before anything was known
   */
  async balance(ask: BalanceAsk, task: number): Promise<Balanced> {
    const { text, field, range, of, target, tolerance, battles, seed } = ask;
    const result = await balancing(await solvable(text), {
      vary: [{ path: field, range }],
      target: `${of}=${String(target)}`,
      tolerance,
      battles,
      seed,
      signal: signalOf(task),
    });
    return await told(ask, result);
  },
};

// What one step of each field does.

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

function effectsCsv({ fields }: StepSensitivity): string {
  const step = (effect: StepSensitivity['fields'][number]['up']) =>
    effect === undefined ? [null, null, null, null] : [effect.to, effect.effect, ...effect.ci95];
  return csvOf(
    COLUMNS,
    fields.map(({ path, value, down, up, verdict }) => [path, value, ...step(down), ...step(up), verdict]),
  );
}

function sensitivityCommand({ file, of, seed, battles }: StudyAsk): string {
  return commandLine('sensitivity', { file }, '--of', of, '--battles', String(battles), '--seed', seed);
}

async function toldEffects(ask: StudyAsk, result: StepSensitivity): Promise<Effects> {
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
    csv: effectsCsv(result),
    complete: result.complete,
    command: sensitivityCommand(ask),
  };
}

export const effects = {
  /**
   * Moves every number of the scenario a step up and a step down.
   * @param tell gets how many steps were taken
   * @throws InputError for the text, the name, or if no step is possible
   * @throws RunError if it was stopped before the first step was known
   */
  async stepEffects(ask: StudyAsk, task: number, tell: (done: HowFar) => void): Promise<Effects> {
    const { text, of, seed, battles } = ask;
    const asked = { of, seed, battles, signal: signalOf(task), onProgress: tell };
    return await toldEffects(ask, await stepSensitivity(await solvable(text), asked));
  },
};
