/** What `check` tells of files: lines, JSON, Markdown. */

import { origin, rulesOf } from '../answers/index.ts';
import { type InputError, placeParts } from '../core/index.ts';
import { type FileKind, placeOf, type Scenario } from '../rules/index.ts';
import { costsJson, costsText } from './costs.ts';
import { markdownTable } from './github.ts';
import { clean } from './text/clean.ts';
import { grouped } from './text/digits.ts';
import type { Look } from './text/table.ts';

/** A file that was checked. */
export interface CheckedFile {
  readonly file: string;
  /** undefined where nothing tells what it should be. */
  readonly kind: FileKind | undefined;
  /** Of a scenario, or of a sweep. */
  readonly scenario?: Scenario | undefined;
  /** Of a sweep. */
  readonly name?: string | undefined;
  /** Of a scenario or a sweep. */
  readonly hash?: string | undefined;
  /** Points of a sweep, expectations of their file. */
  readonly size?: number | undefined;
  /** What is wrong with it. */
  readonly error?: InputError | undefined;
}

const nameOf = ({ name, scenario }: CheckedFile): string | undefined => name ?? scenario?.name;

function about(checked: CheckedFile): string {
  const { kind, scenario, size = 0 } = checked;
  const some = (word: string): string => `${grouped(size)} ${word}${size === 1 ? '' : 's'}`;
  const kinds = kind === 'sweep' ? [`sweep of ${some('point')}`] : kind === 'expectations' ? [some('expectation')] : [];
  const mode = scenario !== undefined && 'mode' in scenario ? [String(scenario.mode)] : [];
  const name = nameOf(checked);
  return [
    ...kinds,
    ...(scenario ? [scenario.system] : []),
    ...mode,
    ...(name === undefined ? [] : [clean(name)]),
    ...(kind === 'scenario' && scenario ? costsText(scenario) : []),
  ].join(', ');
}

/** `army.yaml: ok (attrition, direct, Dawn)` */
export function checkedLine(checked: CheckedFile, { paint }: Look): string {
  return `${clean(placeOf(checked.file))}: ${paint.green('ok')} (${about(checked)})\n`;
}

const HINT = / \(did you mean (?<word>.*)\?\)$/s;

function errorJson({ place, expected, found }: InputError, own: string) {
  const { file = own, line = null, column = null, field: path } = placeParts(place);
  const suggestion = HINT.exec(found)?.groups?.['word'] ?? null;
  const field = path === own || path === '' ? null : path;
  return { file, line, column, path: field, expected, found: found.replace(HINT, ''), suggestion };
}

function errorsOf({ error }: CheckedFile): readonly InputError[] {
  return error?.errors ?? [];
}

/** One object for all files. `more`: errors that are not listed. */
export function checkedJson(files: readonly CheckedFile[]) {
  return {
    ...origin(),
    ok: files.every(({ error }) => error === undefined),
    files: files.map((each) => ({
      file: each.file,
      ok: each.error === undefined,
      kind: each.kind ?? null,
      system: null,
      ...(each.scenario && rulesOf(each.scenario)),
      name: nameOf(each) ?? null,
      hash: each.hash ?? null,
      ...(each.kind === 'scenario' && each.scenario && costsJson(each.scenario)),
      points: each.kind === 'sweep' ? (each.size ?? null) : null,
      expectations: each.kind === 'expectations' ? (each.size ?? null) : null,
      errors: errorsOf(each).map((error) => errorJson(error, each.file)),
      more: each.error !== undefined && 'more' in each.error ? each.error.more : 0,
    })),
  };
}

/** The files that are refused, with their mistakes, or that there are none. */
export function checkedMarkdown(files: readonly CheckedFile[]): string {
  const rows = files.flatMap((each) => errorsOf(each).map(({ place, expected, found }) => [place, expected, found]));
  const good = files.filter(({ error }) => error === undefined).length;
  const verdict = `${grouped(good)} of ${grouped(files.length)} files are ok.`;
  const table = rows.length === 0 ? '' : `\n\n${markdownTable(['place', 'expected', 'found'], rows)}`;
  return `## warpool check\n\n${verdict}${table}`;
}
