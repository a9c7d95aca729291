/** What commands print with `--json`, by the name of its JSON Schema. A name is the command's own, unless files have it. */
export const COMMANDS = {
  result: 'run',
  exact: 'exact',
  replay: 'replay',
  find: 'find',
  compare: 'compare',
  'diff-rules': 'diff-rules',
  balance: 'balance',
  sensitivity: 'sensitivity',
  optimal: 'optimal',
  'solve-cards': 'solve-cards',
  rollout: 'rollout',
  check: 'check',
  conform: 'conform',
  report: 'report',
  'sweep-result': 'sweep',
  'sweep-estimate': 'sweep --dry-run',
  queue: 'queue',
  verify: 'verify',
  assert: 'assert',
  systems: 'systems',
  bench: 'bench',
} as const;

export type OutputName = keyof typeof COMMANDS;
