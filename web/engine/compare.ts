/** This scenario and a changed copy, paired battle by battle. */
import { stringify } from 'yaml';
import { RULESET } from '../../src/answers/index.ts';
import { playHere, sideBudget } from '../../src/engines/index.ts';
import { opened, type Scenario } from '../../src/rules/index.ts';
import {
  type Comparison,
  compare as comparing,
  type RulesDifference,
  type WhatIf,
  whatIf,
} from '../../src/studies/index.ts';
import {
  armiesText,
  clauseOf,
  cleanText,
  colourIn,
  commandLine,
  type Dot,
  decimalsOf,
  differenceTables,
  dotsSpec,
  endsText,
  exactGap,
  fixed,
  grouped,
  type HowFar,
  headOf,
  inPercent,
  type Lead,
  oddsOf,
  outcomeText,
  type Picture,
  PLAIN,
  pairVerdict,
  placed,
  questionsOf,
  rangeNotes,
  rulesText,
  SHARE,
  type SheetBlock,
  type ShownSide,
  SINGLE,
  sentence,
  sharePercent,
  sidesOf,
  signed,
  type WhatIfTable,
  whatIfTables,
} from '../../src/tell/index.ts';
import { frontOf } from './front.ts';
import { absentIn } from './front-edits.ts';
import { type Change, csvOf, type Drawn, draw, setFields } from './pictures.ts';
import { partsOf, type SheetPart } from './sheet.ts';
import { stemOf } from './stem.ts';
import { type Law, lawsOf } from './tables.ts';
import { knownAtOnce, MOST, signalOf, solvable } from './task.ts';

export interface CompareAsk {
  /** Of the scenario. */
  readonly text: string;
  readonly file: string;
  /** What makes the copy: fields that are changed in the text, or another text. */
  readonly copy: readonly Change[] | string;
  readonly battles: number;
  readonly seed: string;
}

export interface Compared {
  /** What can be said of the first outcome. */
  readonly lines: readonly string[];
  readonly outcomeTable: readonly SheetPart[];
  readonly metricTable: readonly SheetPart[];
  readonly notes: readonly SheetPart[];
  /** Exact laws of metrics, those of the copy as marks; none where they are not affordable. */
  readonly laws: readonly Law[];
  readonly picture: Drawn;
  readonly csv: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly battles: number;
  /** False if it was stopped. */
  readonly complete: boolean;
  /** What gives the same on the command line. */
  readonly command: string;
  /** Of the copy. */
  readonly copy: string;
}

const NAMES = ['as it is', 'changed'] as const;

/** The text of the copy. @throws InputError if a path is none */
function copyOf({ text, copy }: CompareAsk): string {
  return typeof copy === 'string' ? copy : setFields(text, copy);
}

/** A value as `--set` takes it. */
const setting = ([path, value]: Change): string => `${path}=${stringify(value).trim()}`;

/** What gives the same on the command line; a copy that was written is a file beside it. */
function commandOf({ file, copy, seed }: CompareAsk, battles: number): string {
  const how = ['--battles', String(battles), '--seed', seed];
  if (typeof copy === 'string') return commandLine('compare', { file }, `${stemOf(file)}-changed.yaml`, ...how);
  return commandLine('diff-rules', { file }, ...copy.flatMap((change) => ['--set', setting(change)]), ...how);
}

const COLUMNS = [
  'kind',
  'name',
  'first',
  'second',
  'difference',
  'low',
  'high',
  'exact',
  'gain',
  'differing',
  'battles',
];

function csv(all: RulesDifference): string {
  const row = (
    kind: 'outcome' | 'metric',
    {
      name,
      difference,
      ci95,
      gain,
      differing,
    }: RulesDifference['outcomes'][number] | RulesDifference['metrics'][number],
    [first, second]: readonly [number, number],
  ) => {
    const exact = exactGap(all, kind === 'outcome' ? 'outcomes' : 'metrics', name);
    const worth = Number.isFinite(gain) ? gain : null;
    return [kind, name, first, second, difference, ...ci95, exact ?? null, worth, differing, all.battles];
  };
  return csvOf(COLUMNS, [
    ...all.outcomes.map((outcome) => row('outcome', outcome, outcome.p)),
    ...all.metrics.map((metric) => row('metric', metric, metric.mean)),
  ]);
}

/** Differences of the shares of outcomes with their intervals. */
function pictureOf(all: RulesDifference, sides: readonly ShownSide[]): Picture {
  const shown = all.outcomes.filter(({ p }) => p[0] > 0 || p[1] > 0).slice(0, 24);
  const dots = shown.map(({ name, difference, ci95 }): Dot => {
    const text = signed(inPercent(fixed, difference, decimalsOf({ interval: ci95 }, SHARE, 2)));
    const head = headOf({ kind: 'outcome', name });
    const told = `${head}: ${text} points, 95 % interval ${endsText(ci95, (end) => inPercent(fixed, end, 3))}`;
    return { name: head, ...placed(SHARE, difference, ci95), colour: colourIn(name, sides), text, told };
  });
  const spec = dotsSpec(dots, {
    title: 'what the change does to the outcomes',
    subtitle: 'changed less as it is, with 95 % intervals',
    axis: 'difference (percentage points)',
    zero: true,
  });
  const caption =
    'Differences of the probabilities of outcomes, the changed copy less the scenario as it is, with 95 % intervals.';
  return { kind: 'standings', of: '', width: SINGLE, caption, spec };
}

function factsOf(scenario: Scenario, { battles, seed }: Comparison): Compared['facts'] {
  return [
    ['system', rulesText(scenario)],
    ['battles', `${grouped(battles)} in both, the same dice`],
    ['seed', seed],
  ];
}

/** Returns the headline: `The attacker wins: 36.3 % becomes 99.4 %.` */
function changeText({ exact, outcomes }: RulesDifference, of: string, sides: readonly ShownSide[]): string {
  const counted = outcomes.find(({ name }) => name === of)?.p ?? [0, 0];
  const known = exact?.map((summary) => summary.outcomes.find(({ name }) => name === of)?.p ?? 0);
  const [before = '', after = ''] = (known ?? counted).map((p) => sharePercent(p, 1));
  const change = known !== undefined && known[0] === known[1] ? `${before}, as before` : `${before} becomes ${after}`;
  return `${sentence(clauseOf(of, sides))}: ${change}${known === undefined ? ' in the battles played' : ''}.`;
}

/** Returns a table without the columns that the command line leaves out first: the page has less room than a terminal. */
function narrow(block: SheetBlock): SheetBlock {
  if (block.kind !== 'table') return block;
  const kept = (_: unknown, c: number): boolean => block.heads[c]?.spare === undefined;
  return { ...block, heads: block.heads.filter(kept), rows: block.rows.map((row) => row.filter(kept)) };
}

async function told(ask: CompareAsk, result: Comparison, scenario: Scenario): Promise<Compared> {
  const { all, pairs, of, battles } = result;
  if (all === undefined) throw new TypeError('two scenarios were not compared as two');
  const sides = sidesOf(scenario);
  const [outcomeTable, metricTable] = differenceTables(all, NAMES).map((table) => partsOf(table.map(narrow), sides));
  const [first, second] = all.exact ?? [];
  const title = cleanText(of);
  const { shape } = opened(scenario);
  return {
    lines: pairs.flatMap((pair) => [
      changeText(all, of, sides),
      ...(pair.verdict === 'tie' && pair.exact === undefined ? [pairVerdict(pair, title, NAMES, PLAIN)] : []),
    ]),
    outcomeTable: outcomeTable ?? [],
    metricTable: metricTable ?? [],
    notes: partsOf(rangeNotes(all.metrics, battles)),
    laws: first === undefined ? [] : lawsOf(first, shape, second, sides),
    picture: await draw(
      pictureOf(all, sides),
      `${ask.file}, ${grouped(battles)} battles in both, seed ${ask.seed}, ruleset ${RULESET}`,
      'compare',
    ),
    csv: csv(all),
    facts: factsOf(scenario, result),
    battles,
    complete: battles === ask.battles,
    command: commandOf(ask, battles),
    copy: copyOf(ask),
  };
}

export const compare = {
  /** The text with other values in some fields. @throws InputError if a path is none */
  setFields,

  /**
   * Plays both.
   * @param tell gets what was played, some times a second
   * @throws InputError for one of the texts, and if the systems differ
   * @throws RunError if it was stopped before the first battle
   */
  async compare(ask: CompareAsk, task: number, tell: (done: HowFar) => void): Promise<Compared> {
    const scenario = await solvable(ask.text);
    const changed = await solvable(copyOf(ask), 'copy');
    const result = await comparing([scenario, changed], {
      battles: ask.battles,
      seed: ask.seed,
      names: NAMES,
      pool: { play: playHere },
      signal: signalOf(task),
      onProgress: tell,
    });
    return await told(ask, result, scenario);
  },
};

// What one more or one fewer of something does to who wins.

export interface WhatIfAsk {
  readonly text: string;
  readonly seed: string;
}

export interface WhatIfFound {
  readonly tables: readonly WhatIfTable[];
  /** False if it was stopped. */
  readonly complete: boolean;
  /** Whether all numbers are exact. */
  readonly exact: boolean;
}

/** Battles of a cell without an exact answer. */
const BATTLES = 20_000;

const isExact = ({ sides }: WhatIf): boolean =>
  sides.every(({ moved }) => moved.every(({ more, fewer }) => (more?.exact ?? true) && (fewer?.exact ?? true)));

export const whatIfs = {
  /**
   * Moves each number of the sides by one.
   * @param tell gets how many steps were taken
   * @throws InputError for the text
   */
  async whatIf({ text, seed }: WhatIfAsk, task: number, tell: (done: HowFar) => void): Promise<WhatIfFound> {
    const scenario = await solvable(text);
    const questions = questionsOf(scenario, absentIn(text, frontOf(text).sides));
    const asked = questions.map(({ side, of, counters }) => ({
      ...{ id: side.id, of },
      paths: counters.map(({ path }) => path),
    }));
    const options = { seed, battles: BATTLES, budget: sideBudget(200_000).steps };
    const found = await whatIf(scenario, asked, { ...options, signal: signalOf(task), onProgress: tell });
    const { complete } = found;
    return { tables: whatIfTables(scenario, questions, found), complete, exact: isExact(found) };
  },
};

// The odds of two scenarios beside each other: one that was pinned, and the one that is shown.

export interface Odds {
  /** `4 infantry, 2 tanks against 5 infantry`, the names of the sides; empty if there are no sides. */
  readonly armies: string;
  readonly bar: Lead['odds'];
  readonly outcomes: readonly { readonly name: string; readonly phrase: string; readonly p: number }[];
  /** Half of the widest 95 % interval; 0 of exact odds. */
  readonly error: number;
}

/** Steps of an exact answer: a second at most. */
const STEPS = 1_000_000;

export const oddsBeside = {
  /** Exact where that comes at once, else of a million battles, of fewer where it was stopped. @throws InputError */
  async oddsOf({ text, seed }: { readonly text: string; readonly seed: string }, task: number): Promise<Odds> {
    const scenario = await solvable(text);
    const { exact, played } = await knownAtOnce(scenario, { seed, battles: MOST, steps: STEPS }, task);
    const found = (exact ?? played)?.summary;
    const { outcomes = [] } = found ?? {};
    const sides = sidesOf(scenario);
    const halves = exact === undefined ? outcomes.map(({ ci95: [low, high] = [0, 1] }) => (high - low) / 2) : [];
    return {
      armies: armiesText(scenario, sides) ?? sides.map(({ name }) => sentence(name)).join(' against '),
      bar: found === undefined ? [] : oddsOf(found, sides),
      outcomes: outcomes.map(({ name, p }) => ({ name, phrase: outcomeText(name), p })),
      error: Math.max(0, ...halves),
    };
  },
};
