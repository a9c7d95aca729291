/** Results of the analysis of matchups as tables and sentences, for terminals and HTML. */

import type {
  AlphaRankedArmy,
  AlphaRankSummary,
  BoundedPayoff,
  DominatedArmy,
  EliminationRound,
  EquilibriumArmy,
  MatchupAnalysis,
  MatchupCycle,
  MixDominatedArmy,
  RankedArmy,
  RoleAnalysis,
  SymmetricAnalysis,
} from '../../analysis/index.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { createOmission, createProse, type SheetBlock, type TableCell } from '../sheet/sheet.ts';
import { formatExact, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';

/** Section with a heading. */
export interface MatchupSection {
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly SheetBlock[];
}

/** Decimals of payoffs, and smaller payoffs that are rounding. */
const DECIMALS = 3;
const ROUNDING = 1e-12;

/** Smaller weights are not listed. */
const WEIGHT_MIN = 1e-9;

const formatPayoff = (payoff: number): string => formatExact(Math.abs(payoff) < ROUNDING ? 0 : payoff, DECIMALS);

const formatShare = (share: number): string => (share < WEIGHT_MIN ? '0 %' : formatPercent(formatExact, share, 1));

const isInterval = ({ lower, upper }: BoundedPayoff): boolean => upper - lower > ROUNDING;

const formatEnds = ({ lower, upper }: BoundedPayoff): string => `${formatPayoff(lower)} .. ${formatPayoff(upper)}`;

/** `0.125`, `0.125 (95 %: 0.100 .. 0.150)` */
const formatBounded = (payoff: BoundedPayoff): string =>
  formatPayoff(payoff.value) + (isInterval(payoff) ? ` (95 %: ${formatEnds(payoff)})` : '');

interface TextTableColumn<R> {
  readonly head: string;
  readonly align: 'left' | 'right';
  readonly cell: (row: R) => TableCell;
}

/** Creates a table of at most `most` rows. */
function createShortTable<R>(columns: readonly TextTableColumn<R>[], rows: readonly R[], most: number): SheetBlock[] {
  const heads = columns.map(({ head, align }) => ({ head, align }));
  const shown = rows.slice(0, most).map((row) => columns.map(({ cell }) => cell(row)));
  const omitted = rows.length > most ? [createOmission(`${formatGrouped(rows.length - most)} more rows`)] : [];
  return rows.length === 0 ? [] : [{ kind: 'table', heads, rows: shown }, ...omitted];
}

const createNameColumn = <R>(head: string, getName: (row: R) => string): TextTableColumn<R> => ({
  head,
  align: 'left',
  cell: (row) => sanitizeLine(getName(row)),
});

const createNumberColumn = <R>(head: string, cell: (row: R) => string): TextTableColumn<R> => ({
  head,
  align: 'right',
  cell,
});

/** Creates the ranking, with the weights of an equilibrium and alpha-rank. */
function createRanking(
  ranking: readonly RankedArmy[],
  armies: readonly EquilibriumArmy[],
  most: number,
  ranked: readonly AlphaRankedArmy[] | undefined,
): SheetBlock[] {
  const weights = new Map(armies.map(({ army, weight }) => [army, weight]));
  const shares = new Map(ranked?.map(({ army, share }) => [army, share]));
  const isUncertain = ranking.some(({ rating }) => isInterval(rating));
  const columns: readonly TextTableColumn<RankedArmy>[] = [
    createNumberColumn('rank', ({ rank }) => formatGrouped(rank)),
    createNameColumn('army', ({ army }) => army),
    createNumberColumn('mean payoff', ({ rating }) => formatPayoff(rating.value)),
    ...(isUncertain
      ? [
          createNumberColumn<RankedArmy>('95 % interval', ({ rating }) => formatEnds(rating)),
          createNumberColumn<RankedArmy>('ranks', ({ bestRank, worstRank }) =>
            bestRank === worstRank
              ? formatGrouped(bestRank)
              : `${formatGrouped(bestRank)}..${formatGrouped(worstRank)}`,
          ),
        ]
      : []),
    createNumberColumn('equilibrium', ({ army }) => formatShare(weights.get(army) ?? 0)),
    ...(ranked === undefined
      ? []
      : [createNumberColumn<RankedArmy>('alpha-rank', ({ army }) => formatShare(shares.get(army) ?? 0))]),
  ];
  return createShortTable(columns, ranking, most);
}

function formatRange({ range }: EquilibriumArmy): string {
  if (range === undefined) return '';
  const [least, greatest] = range;
  return greatest - least < WEIGHT_MIN ? 'unique' : `${formatShare(least)} .. ${formatShare(greatest)}`;
}

/** Creates the table of the armies that an equilibrium uses. */
function createMix(armies: readonly EquilibriumArmy[], most: number, name = 'army'): SheetBlock[] {
  const used = armies.filter(({ weight, range }) => weight > WEIGHT_MIN || (range?.[1] ?? 0) > WEIGHT_MIN);
  const columns: readonly TextTableColumn<EquilibriumArmy>[] = [
    createNameColumn(name, ({ army }) => army),
    createNumberColumn('weight', ({ weight }) => formatShare(weight)),
    createNumberColumn('all equilibria', formatRange),
    createNumberColumn('at most', ({ weightBound }) => formatShare(weightBound)),
    createNumberColumn('payoff against the mix', ({ payoff }) => formatBounded(payoff)),
  ];
  return createShortTable(
    columns,
    used.toSorted((a, b) => b.weight - a.weight),
    most,
  );
}

function createCycles({ cycles }: SymmetricAnalysis, most: number): SheetBlock[] {
  const { count, estimated, possible, strongest } = cycles;
  const columns: readonly TextTableColumn<MatchupCycle>[] = [
    createNameColumn('army', ({ armies }) => armies[0]),
    createNameColumn('beats', ({ armies }) => armies[1]),
    createNameColumn('which beats', ({ armies }) => armies[2]),
    createNumberColumn('margins', ({ margins }) => margins.map(formatPayoff).join(', ')),
    createNumberColumn('strength', ({ strength, lower, upper }) => formatBounded({ value: strength, lower, upper })),
  ];
  const counted = `${count === 0 ? 'no' : formatGrouped(count)} ${count === 1 ? 'cycle' : 'cycles'} of three armies`;
  const found =
    possible === count
      ? `Found ${counted}.`
      : `Found ${counted} that can be distinguished from noise. The estimates have ${formatGrouped(estimated)}; the ` +
        `intervals allow up to ${formatGrouped(possible)}.`;
  return [createProse(found), ...createShortTable(columns, strongest, most)];
}

function formatParts({ decomposition: { transitive, cyclic } }: SymmetricAnalysis): string {
  const share = `${formatShare(transitive.value)} of the squared payoffs are transitive, ${formatShare(cyclic.value)} cyclic`;
  const range = isInterval(cyclic) ? ` (95 %: ${formatShare(cyclic.lower)} .. ${formatShare(cyclic.upper)})` : '';
  return `${share}${range}.`;
}

/** Row of the table of dominated armies. */
type DominanceRow = readonly [army: string, by: string, kind: string, isCertain: boolean];

function listDominance({ dominated, mixDominated }: RoleAnalysis): DominanceRow[] {
  const formatMix = ({ mix }: MixDominatedArmy): string =>
    mix.map(([army, weight]) => `${formatShare(weight)} ${army}`).join('; ');
  return [
    ...dominated.map(
      ({ army, by, isStrict, isCertain }: DominatedArmy): DominanceRow => [
        army,
        by,
        isStrict ? 'always better' : 'never worse',
        isCertain,
      ],
    ),
    ...mixDominated.map((each): DominanceRow => [each.army, formatMix(each), 'mix, always better', each.isCertain]),
  ];
}

function createDominance(role: RoleAnalysis, most: number): SheetBlock[] {
  const rows = listDominance(role);
  const columns: readonly TextTableColumn<DominanceRow>[] = [
    createNameColumn('dominated army', ([army]) => army),
    createNameColumn('by', ([, by]) => by),
    createNameColumn('kind', ([, , kind]) => kind),
    createNameColumn('certain', ([, , , isCertain]) => (isCertain ? 'yes' : 'no')),
  ];
  return rows.length === 0 ? [createProse('No army is dominated.')] : createShortTable(columns, rows, most);
}

/** Creates the table of the rounds of the iterated elimination. */
function createElimination(rounds: readonly EliminationRound[], most: number): SheetBlock[] {
  const rows = rounds.flatMap(({ player, armies }, r) => armies.map((army) => ({ round: r + 1, player, army })));
  type Row = (typeof rows)[number];
  const columns: readonly TextTableColumn<Row>[] = [
    createNumberColumn('round', ({ round }) => formatGrouped(round)),
    createNameColumn('player', ({ player }) => player),
    createNameColumn('eliminated army', ({ army }) => army),
  ];
  return createShortTable(columns, rows, most);
}

function createSideBias({ sideBias }: MatchupAnalysis, most: number): SheetBlock[] {
  if (sideBias === undefined) return [];
  type Row = (typeof sideBias.armies)[number];
  const columns: readonly TextTableColumn<Row>[] = [
    createNameColumn('army', ({ army }) => army),
    createNumberColumn('mirror', ({ mirror }) => formatBounded(mirror)),
    createNumberColumn('advantage of attacking', ({ advantage }) => formatBounded(advantage)),
  ];
  const sentence = `Mean payoff of the attacker over all pairs: ${formatBounded(sideBias.mean)}.`;
  return [createProse(sentence), ...createShortTable(columns, sideBias.armies, most)];
}

function createAlphaRankSettings({ alpha, population, isCertain }: AlphaRankSummary): SheetBlock {
  const limit = alpha === undefined ? 'the limit of strong selection' : `alpha ${formatExact(alpha, DECIMALS)}`;
  const open = isCertain === false ? ', of the estimates; the intervals allow other shares' : '';
  return createProse(`Alpha-rank: population ${formatGrouped(population)}, ${limit}${open}.`);
}

/** Creates the sections of the game in which each army attacks in half of the battles. */
function listSymmetricSections(symmetric: SymmetricAnalysis, most: number): MatchupSection[] {
  const { ranking, equilibrium, alphaRank, elimination } = symmetric;
  return [
    {
      id: 'ranking',
      title: 'Ranking, each army attacks in half of the battles',
      blocks: [
        ...createRanking(ranking, equilibrium.armies, most, alphaRank.armies),
        createAlphaRankSettings(alphaRank),
      ],
    },
    { id: 'cycles', title: 'Cycles', blocks: [...createCycles(symmetric, most), createProse(formatParts(symmetric))] },
    { id: 'mix', title: 'Equilibrium mix', blocks: createMix(equilibrium.armies, most) },
    {
      id: 'dominance',
      title: 'Dominated armies',
      blocks: [...createDominance(symmetric, most), ...createElimination(elimination, most)],
    },
  ];
}

/** Creates the sections of the game of attacker and defender. */
function listRoleSections(
  { attackers, defenders, equilibrium, elimination, alphaRank }: MatchupAnalysis,
  most: number,
): MatchupSection[] {
  const value = `Value for the attacker: ${formatBounded(equilibrium.value)}.`;
  return [
    {
      id: 'attackers',
      title: 'Attackers',
      blocks: [
        ...createRanking(attackers.ranking, equilibrium.attackers, most, alphaRank?.attackers),
        ...(alphaRank === undefined ? [] : [createAlphaRankSettings(alphaRank)]),
      ],
    },
    {
      id: 'defenders',
      title: 'Defenders',
      blocks: createRanking(defenders.ranking, equilibrium.defenders, most, alphaRank?.defenders),
    },
    {
      id: 'roles',
      title: 'Equilibrium of attacker and defender',
      blocks: [
        createProse(value),
        ...createMix(equilibrium.attackers, most, 'attacking army'),
        ...createMix(equilibrium.defenders, most, 'defending army'),
      ],
    },
    { id: 'dominated-attackers', title: 'Dominated attackers', blocks: createDominance(attackers, most) },
    { id: 'dominated-defenders', title: 'Dominated defenders', blocks: createDominance(defenders, most) },
    { id: 'elimination', title: 'Iterated elimination', blocks: createElimination(elimination, most) },
  ];
}

/** Lists the results as sections. @param most maximum number of rows of a table */
export function listMatchupSections(analysis: MatchupAnalysis, most: number): readonly MatchupSection[] {
  const { symmetric, undecided } = analysis;
  const open =
    undecided.length === 0
      ? []
      : [
          createProse(
            `The intervals of ${formatGrouped(undecided.length)} cells leave results open; simulate more battles.`,
          ),
        ];
  return [
    ...(symmetric === undefined ? [] : listSymmetricSections(symmetric, most)),
    ...listRoleSections(analysis, most),
    { id: 'bias', title: 'Advantage of attacking', blocks: createSideBias(analysis, most) },
    { id: 'open', title: 'Open results', blocks: open },
  ].filter(({ blocks }) => blocks.length > 0);
}
