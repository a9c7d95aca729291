/** The kinds of figures that the gate looks at. */
export const LAYERS = ['counters', 'instructions', 'ratio'] as const;
export type Layer = (typeof LAYERS)[number];
