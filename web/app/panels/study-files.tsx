/** Panels of studies that a file describes: matchups of a roster, and balance problems. */
import '../../style/studies.css';
import { ARMIES_MAX } from '../../engine/studies/limits.ts';
import { Manual } from '../parts/about.tsx';
import { StudyFile } from '../study-file/study-file.ts';
import { StudyPanel } from '../study-file/study-panel.tsx';

const roster = new StudyFile({
  kind: 'matchup',
  title: 'roster',
  initial: 'duels.yaml',
  options: {
    battles: 'Battles if not exact',
    maxBattles: 'Most battles if open',
    without: 'Without unit type',
    alpha: 'Alpha of alpha-rank',
  },
  examples: import.meta.glob<string>('../../../examples/rosters/*.yaml', { query: '?raw', import: 'default' }),
});

const problem = new StudyFile({
  kind: 'balance-problem',
  title: 'balance problem',
  initial: 'three-scenarios.yaml',
  options: { battles: 'Battles if not exact' },
  examples: import.meta.glob<string>('../../../examples/balance/*.yaml', { query: '?raw', import: 'default' }),
});

const createEditorLoader = (study: StudyFile) => async () =>
  (await import('../study-file/editor.ts')).createStudyEditor(study);

const loadRosterEditor = createEditorLoader(roster);
const loadProblemEditor = createEditorLoader(problem);

/** Panel of every army of a roster against every other. */
export function MatchupPanel() {
  return (
    <StudyPanel key={roster.kind} study={roster} heading="Matchups of armies" loadEditor={loadRosterEditor}>
      A <Manual page="how-to/matchups">roster</Manual> has up to {ARMIES_MAX} armies of each side. Its scenario can be a
      shipped one or the one in the editor, by file name.
    </StudyPanel>
  );
}

/** Panel of fields of several scenarios that meet several targets together. */
export function BalanceProblemPanel() {
  return (
    <StudyPanel key={problem.kind} study={problem} heading="Balance several scenarios" loadEditor={loadProblemEditor}>
      A <Manual page="how-to/balance-scenarios">balance problem</Manual> has scenarios, fields and targets. A scenario
      can be a shipped one or the one in the editor, by file name.
    </StudyPanel>
  );
}
