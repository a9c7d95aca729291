/** Matchups of a roster, computed and shown like those of `warpool matchup`. */
import { analyzeMatchups, MATCHUP, type MatchupAnalysis } from '../../../src/analysis/index.ts';
import { InputError } from '../../../src/core/index.ts';
import {
  createMatchupJson,
  createMatchupMaps,
  createMatchupSheet,
  formatGrouped,
  type MatchupAblation,
} from '../../../src/report/index.ts';
import { type DocumentSource, formatPosition, getValueAt, isMapping, type Path } from '../../../src/rules/index.ts';
import { text } from '../../../src/rules/option-spec.ts';
import {
  type Army,
  changeRoster,
  computeMatchup,
  type MatchupResult,
  MORE_BATTLES,
  parseRoster,
  ROSTER_CHANGES,
  type Roster,
  removeUnitType,
} from '../../../src/storage/index.ts';
import { formatCsv, renderFigure } from '../output/figures.ts';
import { ProgressiveRunner } from '../progressive-runner.ts';
import { ARMIES_MAX } from './limits.ts';
import type { StudyParser, StudyResult } from './study-file.ts';
import { parseOptions } from './study-options.ts';

/** Sides of a roster, and the fields of its file that have their armies. */
function listSides({ attackers, defenders }: Roster, { value }: DocumentSource) {
  const isShared = isMapping(value) && value['armies'] !== undefined;
  return [
    { field: isShared ? 'armies' : 'attackers', armies: attackers, stride: defenders.length },
    { field: isShared ? 'armies' : 'defenders', armies: defenders, stride: 1 },
  ];
}

/** Finds the path of the field of an army that an error is about. */
function findArmyPath(field: string, army: Army, { value }: DocumentSource, place: string): Path {
  const written = getValueAt(value, [field]);
  const index = Array.isArray(written)
    ? written.findIndex((each) => isMapping(each) && each['name'] === army.name)
    : -1;
  if (index < 0) return [field];
  const key = Object.keys(army.values).find((path) => path !== '' && place.endsWith(`.${path}`));
  return key === undefined ? [field, index] : [field, index, 'set', key];
}

/**
 * Checks the number of armies, and each of them in one cell.
 * @throws InputError at the place of an army
 */
function checkArmies(roster: Roster, source: DocumentSource, file: string): void {
  for (const { field, armies, stride } of listSides(roster, source)) {
    if (armies.length > ARMIES_MAX) {
      const expected = `at most ${String(ARMIES_MAX)} armies in the web app; use "warpool matchup ${file}" for more`;
      throw new InputError(formatPosition(source, [field]), expected, formatGrouped(armies.length));
    }
    for (const [a, army] of armies.entries()) {
      try {
        roster.sweep.cell(a * stride);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const { place, expected, found } = error;
        throw new InputError(formatPosition(source, findArmyPath(field, army, source, place)), expected, found);
      }
    }
  }
}

function createMatchupCsv({ matrix }: MatchupResult): string {
  const { rows, columns, values, lower, upper } = matrix;
  return formatCsv(
    ['attacker', 'defender', 'payoff', 'low', 'high'],
    rows.flatMap((row, r) =>
      columns.map((column, c) => {
        const cell = r * columns.length + c;
        return [row, column, values[cell], lower[cell], upper[cell]];
      }),
    ),
  );
}

function createResult(
  result: MatchupResult,
  analysis: MatchupAnalysis,
  ablation: MatchupAblation | undefined,
): StudyResult {
  const { roster, matrix } = result;
  const { symmetric } = analysis;
  return {
    sheet: createMatchupSheet(result, analysis, ablation, ARMIES_MAX),
    createFigures: async () =>
      await Promise.all(
        createMatchupMaps(matrix, analysis).map(async (map, m) => ({
          title:
            m === 0 && symmetric !== undefined
              ? 'Payoffs, each army attacks in half of the battles'
              : 'Payoffs by role',
          picture: await renderFigure(map, roster.name, `matchup-${String(m + 1)}`),
        })),
      ),
    createJson: () => createMatchupJson(result, analysis, ablation),
    createCsv: () => createMatchupCsv(result),
    renderReport: async (origin) => {
      const { renderMatchupPage } = await import('../../../src/report/html/commands/matchup.ts');
      return await renderMatchupPage(matrix, analysis, { ...origin, name: roster.name });
    },
  };
}

const ignoreCounts = (): void => undefined;

const { battles, seed } = ROSTER_CHANGES;
const OPTIONS = { battles, seed, ...MORE_BATTLES, without: text('type', 'unit type'), alpha: MATCHUP.alpha };

/** @throws InputError for an invalid roster, one with too many armies, or an invalid option */
export const parseMatchup: StudyParser = async (source, file, loader, options) => {
  const { without, alpha, maxBattles, ...changes } = parseOptions(OPTIONS, options);
  const roster = changeRoster(await parseRoster(source, file, loader), changes);
  checkArmies(roster, source, file);
  const { attackers, defenders, sweep } = roster;
  return {
    summary: `${String(attackers.length)} x ${String(defenders.length)} armies, ${formatGrouped(sweep.points)} cells`,
    systems: [sweep.spec.scenario.system],
    run: async ({ signal, onProgress }) => {
      const result = await computeMatchup(roster, {
        signal,
        maxBattles,
        players: new ProgressiveRunner(ignoreCounts),
        onProgress: ({ done, cells }) => {
          onProgress({ done, total: cells });
        },
      });
      const analyze = (matrix: MatchupResult['matrix']) =>
        analyzeMatchups(matrix, alpha === undefined ? {} : { alpha });
      const ablation =
        without === undefined
          ? undefined
          : { type: without, analysis: analyze(removeUnitType(roster, result.matrix, without)) };
      return createResult(result, analyze(result.matrix), ablation);
    },
  };
};
