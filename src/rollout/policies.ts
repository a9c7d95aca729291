/** Policies that environments know: the scenario's own, and every legal action alike. In the kernel's order. */
export const POLICIES = ['scenario', 'uniform'] as const;
export type Policy = (typeof POLICIES)[number];
