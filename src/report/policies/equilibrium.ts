/** Report of `equilibrium`. */

import type { CardSide, Equilibrium, TokenGame, TokenSide } from '../../analysis/index.ts';
import { formatPercentNumber } from '../sheet/estimated-value.ts';
import { formatDuration, formatExact } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import {
  formatDimSentence,
  formatTable,
  joinFacts,
  type TerminalStyle,
  type TextColumn,
  wrapSentence,
  wrapText,
} from '../text/table.ts';

/** Smaller probabilities and payoffs are rounding errors. */
const ROUNDING = 5e-10;

const formatPayoff = (payoff: number): string => formatExact(Math.abs(payoff) > ROUNDING ? payoff : 0, 6);

/** Titles of the payoffs. */
const PAYOFF_TITLES = {
  win: 'win probability of the attacker',
  'hp-difference': 'hit points of attacker minus defender',
  capture: 'probability that the attacker captures the area',
};

/** Card or set of tokens: its probabilities, and its payoffs for its side. */
interface StrategyRow {
  readonly name: string;
  readonly equilibrium: number;
  readonly policy: number;
  readonly againstEquilibrium: number;
  readonly againstPolicy: number;
}

const formatCardName = (card: string): string => (card === 'none' ? 'no card' : card);

const listCardStrategies = ({ cards }: CardSide): StrategyRow[] =>
  cards.map(({ card, ...rest }) => ({ name: formatCardName(card), ...rest }));

function listTokenStrategies(sets: CardSide['sets'], side: TokenSide): StrategyRow[] {
  return sets.map((tokens, s) => ({
    name: tokens.length === 0 ? 'no token' : tokens.join(' + '),
    equilibrium: side.equilibrium[s] ?? 0,
    policy: side.policy[s] ?? 0,
    againstEquilibrium: side.againstEquilibrium[s] ?? 0,
    againstPolicy: side.againstPolicy[s] ?? 0,
  }));
}

/** Maximum number of rows, unless the equilibrium has more choices. */
const MAX_ROWS = 12;

/** Selects choices of the equilibrium, the best response to the enemy's policy, and frequent choices of the policy. */
function selectShownStrategies(choices: readonly StrategyRow[], bestAnswer: number): StrategyRow[] {
  const rank = ({ equilibrium, policy }: StrategyRow, c: number): number =>
    equilibrium > ROUNDING || c === bestAnswer ? 2 : policy > ROUNDING ? policy : 0;
  const ranked = choices.map((choice, c) => ({ c, rank: rank(choice, c) })).sort((a, b) => b.rank - a.rank);
  const chosen = new Set(
    ranked.filter((entry, r) => entry.rank > 1 || (entry.rank > 0 && r < MAX_ROWS)).map(({ c }) => c),
  );
  return choices.filter((_, c) => chosen.has(c));
}

const createHeadings = (first: string): TextColumn[] => [
  { head: first, align: 'left' },
  { head: 'equilibrium\n%', align: 'point' },
  { head: 'policy %', align: 'point' },
  { head: 'payoff against\nequilibrium', align: 'point', spare: 2 },
  { head: 'payoff against\npolicy', align: 'point', spare: 1 },
];

function formatStrategyRow(
  { name, equilibrium, policy, againstEquilibrium, againstPolicy }: StrategyRow,
  { paint }: TerminalStyle,
): string[] {
  const share = (p: number): string => (p > ROUNDING ? formatPercentNumber(formatExact, p, 4) : '0');
  return [
    name,
    paint.bold(share(equilibrium)),
    share(policy),
    formatPayoff(againstEquilibrium),
    formatPayoff(againstPolicy),
  ];
}

function formatSideTable(side: string, of: CardSide, look: TerminalStyle): string[] {
  const { sets, exploitability, exploitabilityOfCards, bestResponse } = of;
  const choices = listCardStrategies(of);
  const rows = selectShownStrategies(choices, bestResponse);
  const left = choices.length - rows.length;
  const ofCards = sets.length > 1 ? `, of which ${formatPayoff(exploitabilityOfCards)} by its cards` : '';
  return [
    ...formatTable(
      createHeadings(side),
      rows.map((choice) => formatStrategyRow(choice, look)),
      look,
    ),
    ...(left > 0 ? formatDimSentence(`(--json also has ${String(left)} more)`, look) : []),
    ...wrapText(`exploitability of its policy: ${formatPayoff(exploitability)}${ofCards}`, 2, look.width),
    ...wrapText(`best response to enemy policy: ${sanitizeLine(choices[bestResponse]?.name ?? '')}`, 2, look.width),
  ];
}

/** Pair of cards with its probability, and the game of tokens that follows. */
interface CardPair extends StrategyRow {
  readonly game: TokenGame;
}

function listCardPairs({ attacker, defender, pairs }: Equilibrium): CardPair[] {
  return attacker.cards.flatMap((own, a) =>
    defender.cards.flatMap((enemy, d) => {
      const game = pairs[a]?.[d];
      if (game === undefined) return [];
      return {
        name: `${formatCardName(own.card)} / ${formatCardName(enemy.card)}`,
        equilibrium: own.equilibrium * enemy.equilibrium,
        policy: own.policy * enemy.policy,
        againstEquilibrium: game.value,
        againstPolicy: game.policyValue,
        game,
      };
    }),
  );
}

/** Formats the row of a pair, and below it the rows of each side that has tokens. */
function formatPairRows(pair: CardPair, { attacker, defender }: Equilibrium, look: TerminalStyle): string[][] {
  const { game } = pair;
  const createSideRows = (name: string, { sets }: CardSide, side: TokenSide): string[][] => {
    if (sets.length < 2) return [];
    return selectShownStrategies(listTokenStrategies(sets, side), side.bestResponse).map((choice) =>
      formatStrategyRow({ ...choice, name: `  ${name}: ${choice.name}` }, look),
    );
  };
  return [
    formatStrategyRow(pair, look),
    ...createSideRows('attacker', attacker, game.attacker),
    ...createSideRows('defender', defender, game.defender),
  ];
}

/** Formats the tokens of the pairs that occur in the equilibrium, the most likely first, or of all pairs. */
function formatTokenTables(solution: Equilibrium, all: boolean, look: TerminalStyle): string[][] {
  if (solution.attacker.sets.length < 2 && solution.defender.sets.length < 2) return [];
  const pairs = listCardPairs(solution);
  const met = pairs.filter(({ equilibrium }) => equilibrium > ROUNDING).sort((a, b) => b.equilibrium - a.equilibrium);
  const listed = all ? pairs : met.slice(0, MAX_ROWS);
  const left = pairs.length - listed.length;
  return [
    [
      ...formatTable(
        createHeadings('cards / air tokens'),
        listed.flatMap((pair) => formatPairRows(pair, solution, look)),
        look,
      ),
      ...(left > 0
        ? formatDimSentence(`(--pairs shows ${String(left)} more ${left === 1 ? 'pair' : 'pairs'} of cards)`, look)
        : []),
    ],
  ];
}

/**
 * Formats the report of an equilibrium.
 * @param all shows the air tokens of all pairs of cards, not only of pairs that occur in the equilibrium
 */
export function formatEquilibriumSheet(solution: Equilibrium, name: string, look: TerminalStyle, all = false): string {
  const { scenario, payoff, attacker, defender, value, policyValue, error, elapsedSeconds } = solution;
  const { bold, dim } = look.paint;
  const formatSize = (side: CardSide): string => `${String(side.cards.length)} x ${String(side.sets.length)}`;
  const blocks = [
    joinFacts([bold(sanitizeLine(name)), scenario.system, `payoff ${payoff}`], look),
    [
      ...wrapSentence(`Value of the game: ${bold(formatPayoff(value))} (${PAYOFF_TITLES[payoff]})`, look),
      `Value with the policies of the scenario: ${formatPayoff(policyValue)}`,
    ],
    formatSideTable('attacker', attacker, look),
    formatSideTable('defender', defender, look),
    ...formatTokenTables(solution, all, look),
    joinFacts(
      [
        `cards x sets of air tokens: ${formatSize(attacker)} against ${formatSize(defender)}`,
        `error at most ${error.toExponential(1)}`,
        formatDuration(elapsedSeconds),
      ],
      look,
    ).map(dim),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
