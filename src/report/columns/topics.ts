/** Commands that print tables, by topic. A separate module, because every call of the command line loads it. */
export const TOPICS = {
  'Outcomes and metrics': ['run', 'exact', 'rollout'],
  'Coverage and single battles': ['run', 'find'],
  'Comparisons on common random numbers': ['compare', 'compare-rules'],
  Sensitivity: ['sensitivity'],
  'Expectations and balance': ['assert', 'balance'],
  'Balance problems': ['balance'],
  'Estimates of fields': ['fit'],
  Matchups: ['matchup'],
  'Best responses and equilibria': ['equilibrium', 'best-response'],
  'Tasks with known optima': ['grade'],
  'Reports of sweeps': ['report'],
  Queues: ['queue'],
  'Benchmark gate': ['bench'],
} as const;

/** Title of a section of the glossary. */
export type TopicTitle = keyof typeof TOPICS;

/** Commands that print tables. */
export const COMMANDS_WITH_TABLES: readonly string[] = [...new Set(Object.values(TOPICS).flat())];
