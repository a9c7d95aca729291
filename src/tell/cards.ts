/** What `solve-cards` prints for people. */

import type { CardSide, CardsSolution, TokenGame, TokenSide } from '../studies/index.ts';
import { inPercent } from './figure.ts';
import { clean } from './text/clean.ts';
import { duration, exactly } from './text/digits.ts';
import { type Column, columns, dotted, flowed, type Look, said, wrapped } from './text/table.ts';

/** Probabilities and worths below this are rounding. */
const SHOWN = 5e-10;

const shown = (worth: number): string => exactly(Math.abs(worth) > SHOWN ? worth : 0, 6);

/** What each payoff counts, for the heading. */
const WANTED = {
  win: 'the attacker’s chance to win',
  'hp-difference': 'hit points of the attacker less the defender’s',
  capture: 'the attacker’s chance to capture the area',
};

/** A card or a set of tokens: probabilities, and what it is worth to its side. */
interface Choice {
  readonly name: string;
  readonly equilibrium: number;
  readonly policy: number;
  readonly againstEquilibrium: number;
  readonly againstPolicy: number;
}

const cardName = (card: string): string => (card === 'none' ? 'no card' : card);

const cardChoices = ({ cards }: CardSide): Choice[] =>
  cards.map(({ card, ...rest }) => ({ name: cardName(card), ...rest }));

function tokenChoices(sets: CardSide['sets'], side: TokenSide): Choice[] {
  return sets.map((tokens, s) => ({
    name: tokens.length === 0 ? 'no token' : tokens.join(' + '),
    equilibrium: side.equilibrium[s] ?? 0,
    policy: side.policy[s] ?? 0,
    againstEquilibrium: side.againstEquilibrium[s] ?? 0,
    againstPolicy: side.againstPolicy[s] ?? 0,
  }));
}

/** Rows of a table, unless the best mixture alone has more choices. */
const ROWS = 12;

/** What the equilibrium plays, the best answer to the enemy's policy, and what the policy plays most, in order. */
function telling(choices: readonly Choice[], bestAnswer: number): Choice[] {
  const rank = ({ equilibrium, policy }: Choice, c: number): number =>
    equilibrium > SHOWN || c === bestAnswer ? 2 : policy > SHOWN ? policy : 0;
  const ranked = choices.map((choice, c) => ({ c, rank: rank(choice, c) })).sort((a, b) => b.rank - a.rank);
  const chosen = new Set(ranked.filter((entry, r) => entry.rank > 1 || (entry.rank > 0 && r < ROWS)).map(({ c }) => c));
  return choices.filter((_, c) => chosen.has(c));
}

const headsOf = (first: string): Column[] => [
  { head: first, align: 'left' },
  { head: 'best\nmixture %', align: 'point' },
  { head: 'policy %', align: 'point' },
  { head: 'worth against\nbest play', align: 'point', spare: 2 },
  { head: 'worth against\npolicy', align: 'point', spare: 1 },
];

function rowOf({ name, equilibrium, policy, againstEquilibrium, againstPolicy }: Choice, { paint }: Look): string[] {
  const share = (p: number): string => (p > SHOWN ? inPercent(exactly, p, 4) : '0');
  return [name, paint.bold(share(equilibrium)), share(policy), shown(againstEquilibrium), shown(againstPolicy)];
}

function table(side: string, of: CardSide, look: Look): string[] {
  const { sets, exploitability, exploitabilityOfCards, bestAnswer } = of;
  const choices = cardChoices(of);
  const rows = telling(choices, bestAnswer);
  const left = choices.length - rows.length;
  const ofCards = sets.length > 1 ? `, ${shown(exploitabilityOfCards)} of it by its cards` : '';
  return [
    ...columns(
      headsOf(side),
      rows.map((choice) => rowOf(choice, look)),
      look,
    ),
    ...(left > 0 ? said(`(--json also has ${String(left)} more)`, look) : []),
    ...wrapped(`gives away ${shown(exploitability)} by its policy${ofCards}`, 2, look.width),
    ...wrapped(`best answer to the enemy’s policy: ${clean(choices[bestAnswer]?.name ?? '')}`, 2, look.width),
  ];
}

/** Two cards with how likely they are to meet, and the game of tokens that follows. */
interface Pair extends Choice {
  readonly game: TokenGame;
}

function pairsOf({ attacker, defender, pairs }: CardsSolution): Pair[] {
  return attacker.cards.flatMap((own, a) =>
    defender.cards.flatMap((enemy, d) => {
      const game = pairs[a]?.[d];
      if (game === undefined) return [];
      return {
        name: `${cardName(own.card)} / ${cardName(enemy.card)}`,
        equilibrium: own.equilibrium * enemy.equilibrium,
        policy: own.policy * enemy.policy,
        againstEquilibrium: game.value,
        againstPolicy: game.given,
        game,
      };
    }),
  );
}

/** The rows of a pair, and below it those of each side that has tokens. */
function pairRows(pair: Pair, { attacker, defender }: CardsSolution, look: Look): string[][] {
  const { game } = pair;
  const ofSide = (name: string, { sets }: CardSide, side: TokenSide): string[][] => {
    if (sets.length < 2) return [];
    return telling(tokenChoices(sets, side), side.bestAnswer).map((choice) =>
      rowOf({ ...choice, name: `  ${name}: ${choice.name}` }, look),
    );
  };
  return [
    rowOf(pair, look),
    ...ofSide('attacker', attacker, game.attacker),
    ...ofSide('defender', defender, game.defender),
  ];
}

/** The tokens of the pairs that the equilibrium comes to, the likeliest first, or of all pairs. */
function tokens(solution: CardsSolution, all: boolean, look: Look): string[][] {
  if (solution.attacker.sets.length < 2 && solution.defender.sets.length < 2) return [];
  const pairs = pairsOf(solution);
  const met = pairs.filter(({ equilibrium }) => equilibrium > SHOWN).sort((a, b) => b.equilibrium - a.equilibrium);
  const listed = all ? pairs : met.slice(0, ROWS);
  const left = pairs.length - listed.length;
  return [
    [
      ...columns(
        headsOf('cards / air tokens'),
        listed.flatMap((pair) => pairRows(pair, solution, look)),
        look,
      ),
      ...(left > 0 ? said(`(--pairs shows ${String(left)} more ${left === 1 ? 'pair' : 'pairs'} of cards)`, look) : []),
    ],
  ];
}

/**
 * The sheet of a solved game of cards.
 * @param all shows the air tokens of all pairs of cards, not only of those that the equilibrium comes to
 */
export function cardsSheet(solution: CardsSolution, name: string, look: Look, all = false): string {
  const { scenario, payoff, attacker, defender, value, given, gap, elapsedSeconds } = solution;
  const { bold, dim } = look.paint;
  const size = (side: CardSide): string => `${String(side.cards.length)} x ${String(side.sets.length)}`;
  const blocks = [
    dotted([bold(clean(name)), scenario.system, `payoff ${payoff}`], look),
    [
      ...flowed(`Value of the game: ${bold(shown(value))} (${WANTED[payoff]})`, look),
      `With the policies as they are: ${shown(given)}`,
    ],
    table('attacker', attacker, look),
    table('defender', defender, look),
    ...tokens(solution, all, look),
    dotted(
      [
        `cards x sets of air tokens: ${size(attacker)} against ${size(defender)}`,
        `best answers gain ${gap.toExponential(1)}`,
        duration(elapsedSeconds),
      ],
      look,
    ).map(dim),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
