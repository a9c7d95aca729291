/** Output of `matchup`: tables and JSON. */
import type { BoundedPayoff, MatchupAnalysis } from '../../analysis/index.ts';
import { createProvenance, identifyRules } from '../../stats/index.ts';
import { computeSweepHash, type MatchupResult } from '../../storage/index.ts';
import {
  bold,
  createFactLine,
  createNote,
  createOmission,
  createProse,
  type Sheet,
  type SheetBlock,
  type TableCell,
} from '../sheet/sheet.ts';
import { formatExact, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { listMatchupSections } from './analysis-sections.ts';

/** Decimals of a payoff. */
const DECIMALS = 3;

/** Smaller payoffs are rounding errors. */
const ROUNDING = 1e-12;

const formatNumber = (value: number): string => formatExact(Math.abs(value) < ROUNDING ? 0 : value, DECIMALS);

function formatPayoff({ values, lower, upper }: MatchupResult['matrix'], cell: number): TableCell {
  const value = values[cell] ?? 0;
  const text = formatNumber(value);
  if (lower[cell] === upper[cell]) return bold(text);
  return [bold(text), ` ±${formatSignificant(((upper[cell] ?? 0) - (lower[cell] ?? 0)) / 2, 2)}`];
}

function createMatrixTable({ matrix }: MatchupResult, most: number): SheetBlock[] {
  const { rows, columns } = matrix;
  if (rows.length > most || columns.length > most)
    return [
      createOmission(`payoffs of ${formatGrouped(rows.length)} x ${formatGrouped(columns.length)} armies: see --json`),
    ];
  return [
    {
      kind: 'table',
      heads: [
        { head: 'attacker', align: 'left' },
        ...columns.map((name) => ({ head: sanitizeLine(name), align: 'right' as const })),
      ],
      rows: rows.map((name, r) => [
        sanitizeLine(name),
        ...columns.map((_, c) => formatPayoff(matrix, r * columns.length + c)),
      ]),
    },
  ];
}

function createHead({ roster, solved, simulated, battles }: MatchupResult): SheetBlock {
  const { attackers, defenders, terrains, sweep } = roster;
  const size = `${formatGrouped(attackers.length)} x ${formatGrouped(defenders.length)} armies`;
  return createFactLine([
    bold(sanitizeLine(roster.name)),
    size,
    ...(terrains.length > 1 ? [`${formatGrouped(terrains.length)} terrains`] : []),
    ...(solved > 0 ? [`${formatGrouped(solved)} matchups solved`] : []),
    ...(simulated > 0 ? [`${formatGrouped(simulated)} simulated, ${formatGrouped(battles)} battles`] : []),
    ...(simulated > 0 ? [`seed ${String(sweep.spec.seed)}`] : []),
  ]);
}

const createHeading = (title: string): SheetBlock => createNote(title, 'bold');

/** Maximum number of rows of the tables of a terminal. */
const ROWS_MAX = 12;

/** The game without a unit type, and its analysis. */
export interface MatchupAblation {
  readonly type: string;
  readonly analysis: MatchupAnalysis;
}

/** Computes the value without a unit type, and its difference from the value of the whole game. */
function compareValues({ equilibrium: whole }: MatchupAnalysis, { analysis }: MatchupAblation) {
  const { value } = analysis.equilibrium;
  const difference = {
    value: value.value - whole.value.value,
    lower: value.lower - whole.value.upper,
    upper: value.upper - whole.value.lower,
  };
  return { value, difference };
}

const formatBounded = ({ value, lower, upper }: BoundedPayoff): string =>
  formatNumber(value) + (lower === upper ? '' : ` (95 %: ${formatNumber(lower)} .. ${formatNumber(upper)})`);

function createAblationBlocks(analysis: MatchupAnalysis, ablation: MatchupAblation): SheetBlock[] {
  const { value, difference } = compareValues(analysis, ablation);
  const type = sanitizeLine(ablation.type);
  const sections = listMatchupSections(ablation.analysis, ROWS_MAX);
  return [
    createHeading(`Without ${type}`),
    createProse(
      `Value for the attacker without armies that have ${type}: ${formatBounded(value)}; difference: ${formatBounded(difference)}.`,
    ),
    ...sections
      .filter(({ id }) => ABLATION_SECTIONS.includes(id))
      .flatMap(({ title, blocks }) => [createHeading(title), ...blocks]),
  ];
}

/** Sections of the analysis that an ablation prints. */
const ABLATION_SECTIONS = ['ranking', 'attackers', 'defenders'];

/**
 * Creates the report of a matchup.
 * @param most maximum number of rows of a table; the payoffs of larger rosters are omitted
 */
export function createMatchupSheet(
  result: MatchupResult,
  analysis: MatchupAnalysis,
  ablation: MatchupAblation | undefined,
  most = ROWS_MAX,
): Sheet {
  const sections = listMatchupSections(analysis, most);
  return [
    [createHead(result)],
    createMatrixTable(result, most),
    ...sections.map(({ title, blocks }) => [createHeading(title), ...blocks]),
    ...(ablation === undefined ? [] : [createAblationBlocks(analysis, ablation)]),
  ];
}

const toRows = (values: Float64Array, columns: number): number[][] =>
  Array.from({ length: values.length / columns }, (_, r) => Array.from(values.slice(r * columns, (r + 1) * columns)));

/** Creates the part of JSON that all results of rosters have. */
export const createRosterHeader = ({ name, payoff, sweep: { spec } }: MatchupResult['roster']) => ({
  ...createProvenance(identifyRules(spec.scenario)),
  ...{ roster: name, hash: computeSweepHash(spec), payoff: payoff.text },
});

/** Creates the JSON of `matchup`. */
export function createMatchupJson(
  result: MatchupResult,
  analysis: MatchupAnalysis,
  ablation: MatchupAblation | undefined,
) {
  const { roster, matrix, solved, simulated, battles, folder } = result;
  const { rows, columns, values, lower, upper } = matrix;
  const { spec } = roster.sweep;
  return {
    ...createRosterHeader(roster),
    ...(folder !== undefined && { folder }),
    attackers: rows,
    defenders: columns,
    terrains: roster.terrains.filter(({ name }) => name !== ''),
    ...{ solved, simulated, battles },
    seed: String(spec.seed),
    values: toRows(values, columns.length),
    ...(simulated > 0 && { lower: toRows(lower, columns.length), upper: toRows(upper, columns.length) }),
    analysis,
    ...(ablation && {
      without: { type: ablation.type, ...compareValues(analysis, ablation), analysis: ablation.analysis },
    }),
  };
}
