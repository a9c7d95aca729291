/** HTML report of the matchups of armies. */

import type { MatchupAnalysis, PayoffMatrix } from '../../../analysis/index.ts';
import { createMatchupMaps } from '../../figures/matchup-map.ts';
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

/** Renders the HTML report of the analysis of a payoff matrix. */
export async function renderMatchupPage(
  matrix: PayoffMatrix,
  analysis: MatchupAnalysis,
  { version, name, command, renderSvg }: PageOrigin,
): Promise<string> {
  const size = `${formatGrouped(matrix.rows.length)} x ${formatGrouped(matrix.columns.length)} armies`;
  const maps = await createFigures(
    createMatchupMaps(matrix, analysis),
    `${name} · ${size} · warpool ${version}`,
    renderSvg,
  );
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
