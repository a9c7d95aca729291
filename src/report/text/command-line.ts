/** Commands that are proposed, as a shell takes them. */

/** A word as a POSIX shell takes it: in quotes where that is needed. */
function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A file and the fields that are set in it: what every command on a scenario begins with. */
export interface ScenarioOptions {
  readonly file: string;
  readonly set?: readonly string[] | undefined;
  /** Files with the systems that it can be of, and whether a configuration file names others. */
  readonly systems?: readonly string[] | undefined;
  readonly config?: boolean | undefined;
}

/** Assignments without those that a later one of the same field replaces. */
export const removeOverridden = (set: readonly string[]): string[] =>
  set.filter((each, at) => !set.slice(at + 1).some((later) => later.split('=')[0] === each.split('=')[0]));

/** `warpool replay army.yaml --set attacker.hp=20 --battle 7`. */
export function formatCommandLine(name: string, scenario: ScenarioOptions, ...options: readonly string[]): string {
  const { file, set = [], systems = [], config = true } = scenario;
  const known = [...systems.flatMap((path) => ['--systems', path]), ...(config ? [] : ['--no-config'])];
  const words = [file, ...removeOverridden(set).flatMap((change) => ['--set', change]), ...options, ...known];
  return ['warpool', name, ...words.map(quoteShellWord)].join(' ');
}
