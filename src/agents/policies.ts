/** Policies that environments know: the scenario's own, and every legal action alike. In the kernel's order. */
export const POLICIES = ['scenario', 'uniform'] as const;
/** Who plays: the policies of the scenario, or chance, all legal actions alike. */
export type Policy = (typeof POLICIES)[number];
