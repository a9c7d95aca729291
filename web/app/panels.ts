/** Panels of the page, in display order; each is loaded when it is first shown. */
import type { ComponentType } from 'preact';

export interface PanelEntry {
  readonly id: string;
  readonly title: string;
  readonly load: () => Promise<{ readonly Panel: ComponentType }>;
}

export const PANELS: readonly PanelEntry[] = [
  { id: 'answer', title: 'Answer', load: () => import('./panels/answer.tsx') },
  { id: 'battle', title: 'Battle', load: () => import('./panels/battle.tsx') },
  { id: 'compare', title: 'Compare', load: () => import('./panels/compare.tsx') },
  { id: 'sweep', title: 'Sweep', load: () => import('./panels/sweep.tsx') },
  { id: 'best-response', title: 'Best response', load: () => import('./panels/best-response.tsx') },
  { id: 'own', title: 'Custom rules', load: () => import('./panels/custom.tsx') },
];
