/** Proposed commands, quoted for shells. */

/** Quotes a word for a POSIX shell if needed. */
function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Common options of commands on a scenario. */
export interface ScenarioOptions {
  readonly file: string;
  readonly set?: readonly string[] | undefined;
  /** Files of custom systems. */
  readonly systems?: readonly string[] | undefined;
  /** False for --no-config. */
  readonly config?: boolean | undefined;
}

/** Removes assignments that a later one of the same field replaces. */
export const removeOverridden = (set: readonly string[]): string[] =>
  set.filter((each, at) => !set.slice(at + 1).some((later) => later.split('=')[0] === each.split('=')[0]));

/** `warpool replay army.yaml --set attacker.hp=20 --battle 7`. */
export function formatCommandLine(name: string, scenario: ScenarioOptions, ...options: readonly string[]): string {
  const { file, set = [], systems = [], config = true } = scenario;
  const known = [...systems.flatMap((path) => ['--systems', path]), ...(config ? [] : ['--no-config'])];
  const words = [file, ...removeOverridden(set).flatMap((change) => ['--set', change]), ...options, ...known];
  return ['warpool', name, ...words.map(quoteShellWord)].join(' ');
}
