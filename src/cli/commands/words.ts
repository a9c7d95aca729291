/** Words that several commands use in their help. */

export const SCENARIO = 'scenario file in YAML or JSON; - reads standard input';

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ warpool ${line}`).join('\n')}`;
}
