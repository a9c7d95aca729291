/** What `solve-cards` prints for people. */
import type { CardSide, CardStrategy, CardsSolution } from '../solve-cards.ts';
import { clean } from './clean.ts';
import { duration, exactly } from './digits.ts';
import { type Column, columns, type Look } from './table.ts';

/** Probabilities below this, in the tables, are rounding. */
const SHOWN = 5e-10;

/** What each payoff counts, for the heading. */
const WANTED = {
  win: 'the attacker’s chance to win',
  'hp-difference': 'hit points of the attacker less the defender’s',
  capture: 'the attacker’s chance to capture the area',
};

function called({ card, tokens }: CardStrategy): string {
  return [card === 'none' ? 'no card' : card, ...tokens].join(' + ');
}

/** Rows of a table, unless the best mixture alone has more strategies. */
const ROWS = 12;

/** What the equilibrium plays, the best answer to the enemy's policy, and what the policy plays most, in order. */
function telling({ strategies, bestAnswer }: CardSide): CardStrategy[] {
  const rank = ({ equilibrium, policy }: CardStrategy, s: number): number =>
    equilibrium > SHOWN || s === bestAnswer ? 2 : policy > SHOWN ? policy : 0;
  const ranked = strategies.map((strategy, s) => ({ s, rank: rank(strategy, s) })).sort((a, b) => b.rank - a.rank);
  const chosen = new Set(ranked.filter((entry, r) => entry.rank > 1 || (entry.rank > 0 && r < ROWS)).map(({ s }) => s));
  return strategies.filter((_, s) => chosen.has(s));
}

function table(side: string, of: CardSide, look: Look): string[] {
  const { strategies, exploitability, bestAnswer } = of;
  const { bold, dim } = look.paint;
  const heads: Column[] = [
    { head: side, align: 'left' },
    { head: 'best mixture %', align: 'point' },
    { head: 'policy %', align: 'point' },
    { head: 'worth: best play', align: 'point' },
    { head: 'policy', align: 'point' },
  ];
  const shown = telling(of);
  const share = (p: number): string => (p > SHOWN ? exactly(100 * p, 4) : '0');
  const rows = shown.map((strategy) => [
    called(strategy),
    bold(share(strategy.equilibrium)),
    share(strategy.policy),
    exactly(strategy.againstEquilibrium, 6),
    exactly(strategy.againstPolicy, 6),
  ]);
  const best = strategies[bestAnswer];
  const left = strategies.length - shown.length;
  return [
    ...columns(heads, rows, look),
    ...(left > 0 ? [dim(`(--json also has ${String(left)} more)`)] : []),
    `  gives away ${exactly(Math.max(0, exploitability), 6)} by its policy` +
      (best === undefined ? '' : `; best answer to the enemy’s policy: ${clean(called(best))}`),
  ];
}

/** The sheet of a solved game of cards. */
export function cardsSheet(solution: CardsSolution, name: string, look: Look): string {
  const { scenario, payoff, attacker, defender, value, given, gap, elapsedSeconds } = solution;
  const { bold, dim } = look.paint;
  const blocks = [
    [[bold(clean(name)), scenario.system, `payoff ${payoff}`].join(dim(' · '))],
    [
      `Value of the game: ${bold(exactly(value, 6))} (${WANTED[payoff]})`,
      `With the policies as they are: ${exactly(given, 6)}`,
    ],
    table('attacker', attacker, look),
    table('defender', defender, look),
    [
      dim(
        [
          `${String(attacker.strategies.length)} x ${String(defender.strategies.length)} strategies`,
          `best answers gain ${gap.toExponential(1)}`,
          duration(elapsedSeconds),
        ].join(' · '),
      ),
    ],
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
