/** Paths of fields: `attacker.units.knight`, `structures[1].marks`, `areas["Upper Egypt"]`. */

/** The steps to a value: names of fields and indices of lists. */
export type Path = readonly (string | number)[];

/** A name, the index of an element, or a name in quotes. */
const STEP = /(?:^|(?<!^)\.)(?<name>[^.[\]]+)|\[(?:(?<index>\d{1,9})|(?<quoted>"(?:[^"\\]|\\.)+"))\]/y;

function unquoted(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** Parses `structures[1].marks` to ['structures', 1, 'marks']; undefined if the text is no path. */
export function readPath(path: string): Path | undefined {
  const steps: (string | number)[] = [];
  for (STEP.lastIndex = 0; STEP.lastIndex < path.length; ) {
    const { name, index, quoted } = STEP.exec(path)?.groups ?? {};
    const step = name ?? index ?? (quoted === undefined ? undefined : unquoted(quoted));
    if (step === undefined) return undefined;
    steps.push(quoted === undefined && /^\d+$/.test(step) ? Number(step) : step);
  }
  return steps.length === 0 ? undefined : steps;
}

/** A position in a file. Lines and columns count from 1. */
export interface FilePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Splits `army.yaml:12:16 attacker.hp` into the position, if it has one, and the field. */
export function splitPlace(place: string): Partial<FilePosition> & { readonly field: string } {
  const {
    file,
    line,
    column,
    field = '',
  } = /^(?<file>.+?):(?<line>\d+):(?<column>\d+)(?: (?<field>.*))?$/s.exec(place)?.groups ?? {};
  return file === undefined ? { field: place } : { file, line: Number(line), column: Number(column), field };
}
