/** Commands that print tables, by what these are about. By itself, since every call of the command line asks. */
export const TOPICS = {
  'Outcomes and metrics': ['run', 'exact', 'rollout'],
  'Coverage and single battles': ['run', 'find'],
  'Comparisons on common random numbers': ['compare', 'compare-rules'],
  Sensitivity: ['sensitivity'],
  'Expectations and balance': ['assert', 'balance'],
  'Best play': ['equilibrium', 'best-response'],
  'Reports of sweeps': ['report'],
  Queues: ['queue'],
  'The gate': ['bench'],
} as const;

/** What tables are about: the title of a part of the glossary. */
export type TopicTitle = keyof typeof TOPICS;

/** Commands that print tables. */
export const COMMANDS_WITH_TABLES: readonly string[] = [...new Set(Object.values(TOPICS).flat())];
