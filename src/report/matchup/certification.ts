/** Output of `matchup --certify`: the value of the game of a roster, from a part of its matchups. */
import type { CertifiedMatchup } from '../../storage/node.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import {
  bold,
  createFactLine,
  createNote,
  createProse,
  createTable,
  type DeclaredColumn,
  type Sheet,
} from '../sheet/sheet.ts';
import { formatExact, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { createRosterHeader } from './matchup.ts';

/** Weights below are omitted. */
const LEAST_WEIGHT = 1e-9;

/** An army of the mix of a player. */
interface WeightedArmy {
  readonly army: string;
  readonly weight: number;
}

/** Lists the armies of a mix, the most frequent first. */
const listArmies = (armies: readonly { readonly name: string }[], weights: Float64Array): WeightedArmy[] =>
  armies
    .map(({ name }, a) => ({ army: name, weight: weights[a] ?? 0 }))
    .filter(({ weight }) => weight > LEAST_WEIGHT)
    .sort((a, b) => b.weight - a.weight);

const COLUMNS: readonly DeclaredColumn<WeightedArmy>[] = [
  { head: 'army', align: 'left', about: 'name of the army', cell: ({ army }) => sanitizeLine(army) },
  {
    head: 'weight',
    about: 'probability of the army in the mix',
    cell: ({ weight }) => formatPercent(formatExact, weight, 1),
  },
];

const listMixes = ({ roster: { attackers, defenders }, rows, columns }: CertifiedMatchup) => ({
  attackers: listArmies(attackers, rows),
  defenders: listArmies(defenders, columns),
});

/** Creates the report of a certified value. */
export function createCertificationSheet(result: CertifiedMatchup): Sheet {
  const { roster, lower, upper, cells, allCells, isReached } = result;
  const mixes = listMixes(result);
  const share = formatPercent(formatExact, cells / allCells, 1);
  return [
    [
      createFactLine([
        bold(sanitizeLine(roster.name)),
        `${formatGrouped(roster.attackers.length)} x ${formatGrouped(roster.defenders.length)} armies`,
        `${formatGrouped(cells)} of ${formatGrouped(allCells)} matchups computed (${share})`,
      ]),
    ],
    [createProse(`Value for the attacker: ${formatExact(lower, 5)} .. ${formatExact(upper, 5)}`)],
    isReached
      ? []
      : [createNote('The intervals of the matchups do not allow the tolerance; use more battles.', 'yellow')],
    [createProse('Mix of the attacker'), createTable(COLUMNS, mixes.attackers)],
    [createProse('Mix of the defender'), createTable(COLUMNS, mixes.defenders)],
  ];
}

/** Creates the JSON of a certified value. */
export function createCertificationJson(result: CertifiedMatchup) {
  const { roster, lower, upper, cells, allCells, isReached } = result;
  return {
    ...createRosterHeader(roster),
    value: { lower, upper },
    ...{ cells, allCells, isReached },
    ...listMixes(result),
  };
}
