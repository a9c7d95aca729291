/** HTML report of the matchups of armies. */

import { isSameRoster, type MatchupAnalysis, type PayoffMatrix, symmetrize } from '../../../analysis/index.ts';
import type { Figure } from '../../figures/figure.ts';
import { createMatchupMap } from '../../figures/matchup-map.ts';
import { listMatchupSections } from '../../matchup/analysis-sections.ts';
import { formatGrouped } from '../../text/number-format.ts';
import { markup } from '../markup.ts';
import { renderPage } from '../page-template.ts';
import {
  createFigures,
  createOriginSection,
  createParagraphs,
  createSection,
  createSheetMarkup,
  type PageOrigin,
} from './command-page.ts';
import { SINGLE_STYLE } from './stylesheet.ts';

/** Maximum number of rows of a table. */
const ROWS_MAX = 1000;

/** Titles of the axes of the matrix, and its caption. */
const ROLES = { row: 'attacker', column: 'defender', title: 'payoff of the attacker' };
const ROLE_CAPTION = 'Payoff of the attacker (row) against the defender (column).';

/** Creates the heat map of the matrix, and for one roster that of the symmetric game before it. */
function createMaps(matrix: PayoffMatrix, { symmetric, attackers, defenders }: MatchupAnalysis): Figure[] {
  const getNames = (ranking: MatchupAnalysis['attackers']['ranking']): string[] => ranking.map(({ army }) => army);
  if (symmetric === undefined || !isSameRoster(matrix)) {
    const order = { rows: getNames(attackers.ranking), columns: getNames(defenders.ranking) };
    const caption = `${ROLE_CAPTION} Both are sorted by their mean payoff.`;
    return [createMatchupMap(matrix, { ...order, ...ROLES, caption })];
  }
  const order = { rows: symmetric.order, columns: symmetric.order };
  const sorted = 'In cyclic order: each army tends to beat those that follow it.';
  return [
    createMatchupMap(symmetrize(matrix), {
      ...order,
      row: 'army',
      column: 'opponent',
      title: 'payoff if each army attacks in half of the battles',
      caption: `Payoff of the row army against the column army. ${sorted}`,
    }),
    createMatchupMap(matrix, { ...order, ...ROLES, caption: `${ROLE_CAPTION} ${sorted}` }),
  ];
}

/** Renders the HTML report of the analysis of a payoff matrix. */
export async function renderMatchupPage(
  matrix: PayoffMatrix,
  analysis: MatchupAnalysis,
  { version, name, command }: PageOrigin,
): Promise<string> {
  const size = `${formatGrouped(matrix.rows.length)} x ${formatGrouped(matrix.columns.length)} armies`;
  const maps = await createFigures(createMaps(matrix, analysis), `${name} · ${size} · warpool ${version}`);
  const sections = listMatchupSections(analysis, ROWS_MAX);
  return renderPage({
    title: `${name}: matchups`,
    lead: size,
    warpool: version,
    style: SINGLE_STYLE,
    before: createParagraphs(['Intervals hold for all cells together with 95 % probability.']),
    sections: [
      createSection('matrix', 'Payoffs', markup`${maps}`),
      ...sections.map(({ id, title, blocks }) => createSection(id, title, createSheetMarkup(blocks))),
      createOriginSection([['version', `warpool ${version}`]], command, []),
    ],
  });
}
