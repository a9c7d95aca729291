/** Panels of the page, in display order; each is loaded when it is first shown. */
import type { ComponentType } from 'preact';

export interface PanelEntry {
  readonly id: string;
  readonly title: string;
  readonly load: () => Promise<{ readonly Panel: ComponentType }>;
}

const loadStudies = () => import('./panels/study-files.tsx');

export const PANELS: readonly PanelEntry[] = [
  { id: 'answer', title: 'Answer', load: () => import('./panels/answer.tsx') },
  { id: 'battle', title: 'Battle', load: () => import('./panels/battle.tsx') },
  { id: 'compare', title: 'Compare', load: () => import('./panels/compare.tsx') },
  { id: 'sweep', title: 'Sweep', load: () => import('./panels/sweep.tsx') },
  { id: 'matchup', title: 'Matchup', load: async () => ({ Panel: (await loadStudies()).MatchupPanel }) },
  {
    id: 'balance-problem',
    title: 'Balance problem',
    load: async () => ({ Panel: (await loadStudies()).BalanceProblemPanel }),
  },
  { id: 'best-response', title: 'Best response', load: () => import('./panels/best-response.tsx') },
  { id: 'own', title: 'Custom rules', load: () => import('./panels/custom.tsx') },
];
