/** Output of `run --rare`: the probability of a rare outcome. */
import type { RareOutcomeEstimate, SplittingStage } from '../../analysis/index.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import { bold, createFactLine, createNote, createTable, type DeclaredColumn, type Sheet } from '../sheet/sheet.ts';
import { formatExact, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** Stage with its number. */
interface NumberedStage extends SplittingStage {
  readonly stage: number;
}

/** Columns of the stages of multilevel splitting. */
export const STAGE_COLUMNS: readonly DeclaredColumn<NumberedStage>[] = [
  {
    head: 'stage',
    about: 'with --rare: number of the stage; the last one ends at the outcome',
    cell: ({ stage }) => String(stage),
  },
  {
    head: 'segments',
    about: 'with --rare: simulated battle segments',
    cell: ({ segments }) => formatGrouped(segments),
  },
  {
    head: 'reached',
    about: 'with --rare: segments that reached the next level',
    cell: ({ reached }) => formatGrouped(reached),
  },
  {
    head: 'share',
    align: 'point',
    about: 'with --rare: share of these segments, in %',
    cell: ({ share }) => formatExact(100 * share, 1),
  },
];

/** Formats a small probability: `3.42e-10`, `0.0187`. */
const formatProbability = (p: number): string =>
  p !== 0 && p < 1e-3 ? p.toExponential(2) : String(Number(p.toPrecision(3)));

function describeReliability(estimate: RareOutcomeEstimate): string[] {
  const { emptyReplications, replications, precision, probability, pilotProbability, reliable } = estimate;
  const cause =
    emptyReplications > 0
      ? `${formatGrouped(emptyReplications)} of ${formatGrouped(replications)} replications missed the outcome`
      : pilotProbability > 2 * probability
        ? `a pilot estimated ${formatProbability(pilotProbability)}`
        : 'the replications differ widely';
  return [
    ...(reliable
      ? []
      : [`${cause}: the estimate is unreliable, and the interval may be too narrow; try several seeds`]),
    ...(precision.reached
      ? []
      : [
          `precision of ${formatExact(100 * precision.requested, 0)} % not reached: increase the number of battles, or use another seed`,
        ]),
  ];
}

/** Creates the report of an estimate. */
export function createRareOutcomeSheet(estimate: RareOutcomeEstimate, name: string): Sheet {
  const { scenario, outcome, seed, probability, exactProbability, ci95, relativeError, stages, plainBattles } =
    estimate;
  const { replications, segments, pilotSegments, digest } = estimate;
  const [low, high] = ci95.map(formatProbability);
  const error = relativeError === null ? '' : `, relative error ${formatSignificant(100 * relativeError, 2)} %`;
  const plain = plainBattles === null ? [] : [`plain simulation: ${plainBattles.toPrecision(2)} battles`];
  return [
    [createFactLine([bold(sanitizeLine(name)), scenario.system, 'multilevel splitting', `seed ${seed}`])],
    [
      {
        ...createNote(`${sanitizeLine(outcome)}: probability ${formatProbability(probability)}${error}`),
        isAnswer: true,
      },
      createNote(`95 % interval ${low ?? ''} .. ${high ?? ''}`),
      ...(exactProbability === null ? [] : [createNote(`exact probability ${formatProbability(exactProbability)}`)]),
    ],
    [
      createTable(
        STAGE_COLUMNS,
        stages.map((each, s) => ({ ...each, stage: s + 1 })),
      ),
    ],
    describeReliability(estimate).map((text) => createNote(text, 'yellow')),
    [
      createFactLine(
        [
          `${formatGrouped(replications)} replications`,
          `${formatGrouped(segments)} segments and ${formatGrouped(pilotSegments)} of pilots`,
          ...plain,
          `digest ${digest.slice(0, 16)}`,
        ],
        'dim',
      ),
    ],
  ];
}

/** Creates the output of `warpool run --rare --json`. */
export function createRareOutcomeJson(
  { scenario, scenarioHash, ...estimate }: RareOutcomeEstimate,
  label: ScenarioLabel,
) {
  return { ...createScenarioHeader(label, scenario, scenarioHash), ...estimate };
}
