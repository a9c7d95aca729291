/** The kinds of files, and of results, that have a JSON Schema: names and what is said of them in the help. */

export const KINDS = [
  { name: 'scenario', also: ['all'], about: 'scenario files of all systems' },
  { name: 'sweep', also: [], about: 'sweep files, for "warpool sweep"' },
  { name: 'expectations', also: [], about: 'files of expectations, for "warpool assert"' },
] as const;

/** The name of a kind of the list above. */
export type KindName = (typeof KINDS)[number]['name'];

/** What it says of what a command prints. */
export const ofOutput = (command: string): string => `what "warpool ${command} --json" prints`;

/** What it says of the files of one system. */
export const ofSystem = (id: string): string => `scenario files of ${id}`;
