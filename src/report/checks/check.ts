/** Output of `check`: lines, JSON, Markdown. */

import { type InputError, splitPlace } from '../../core/index.ts';
import { type FileKind, getSourceName, type PolicyFile, type Scenario } from '../../rules/index.ts';
import { createVersionInfo, identifyRules } from '../../stats/index.ts';
import { createCostsJson, formatCosts } from '../scenario/costs.ts';
import { formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import type { TerminalStyle } from '../text/table.ts';
import { formatMarkdownTable } from './github.ts';

/** A file that was checked. */
export interface CheckedFile {
  readonly file: string;
  /** Undefined if the kind cannot be determined. */
  readonly kind: FileKind | undefined;
  /** The scenario of a scenario file or a sweep. */
  readonly scenario?: Scenario | undefined;
  /** Name of a sweep. */
  readonly name?: string | undefined;
  /** Hash of a scenario or a sweep. */
  readonly hash?: string | undefined;
  /** Number of points of a sweep or a roster, of settings of a balance problem, or of expectations of a file. */
  readonly size?: number | undefined;
  readonly policy?: PolicyFile | undefined;
  readonly error?: InputError | undefined;
}

const getFileTitle = ({ name, scenario }: CheckedFile): string | undefined => name ?? scenario?.name;

function describeFile(checked: CheckedFile): string {
  const { kind, scenario, policy, size = 0 } = checked;
  const formatSome = (word: string): string => `${formatGrouped(size)} ${word}${size === 1 ? '' : 's'}`;
  const sizes: Readonly<Partial<Record<FileKind, string>>> = {
    sweep: `sweep of ${formatSome('point')}`,
    expectations: formatSome('expectation'),
    roster: `roster of ${formatSome('matchup')}`,
    policy: `policy, ${policy?.kind ?? ''} for ${policy?.system ?? ''}`,
    problem: `balance problem of ${formatSome('setting')}`,
  };
  const described = kind && sizes[kind];
  const kinds = described === undefined ? [] : [described];
  const mode = scenario !== undefined && 'mode' in scenario ? [String(scenario.mode)] : [];
  const name = getFileTitle(checked);
  return [
    ...kinds,
    ...(scenario ? [scenario.system] : []),
    ...mode,
    ...(name === undefined ? [] : [sanitizeLine(name)]),
    ...(kind === 'scenario' && scenario ? formatCosts(scenario) : []),
  ].join(', ');
}

/** `army.yaml: ok (attrition, direct, Dawn)` */
export function formatCheckLine(checked: CheckedFile, { paint }: TerminalStyle): string {
  return `${sanitizeLine(getSourceName(checked.file))}: ${paint.green('ok')} (${describeFile(checked)})\n`;
}

const SUGGESTION_PATTERN = / \(did you mean (?<word>.*)\?\)$/s;

function createErrorJson({ place, expected, found }: InputError, own: string) {
  const { file = own, line = null, column = null, field: path } = splitPlace(place);
  const suggestion = SUGGESTION_PATTERN.exec(found)?.groups?.['word'] ?? null;
  const field = path === own || path === '' ? null : path;
  return { file, line, column, path: field, expected, found: found.replace(SUGGESTION_PATTERN, ''), suggestion };
}

function listErrors({ error }: CheckedFile): readonly InputError[] {
  return error?.errors ?? [];
}

/** Returns the size of a file of some kinds; null for other files. */
const getSize = ({ kind, size }: CheckedFile, ...kinds: readonly FileKind[]): number | null =>
  kind !== undefined && kinds.includes(kind) ? (size ?? null) : null;

/** Creates one object for all files. `more` is the number of errors that are not listed. */
export function createCheckJson(files: readonly CheckedFile[]) {
  return {
    ...createVersionInfo(),
    ok: files.every(({ error }) => error === undefined),
    files: files.map((each) => ({
      file: each.file,
      ok: each.error === undefined,
      kind: each.kind ?? null,
      system: each.policy?.system ?? null,
      ...(each.scenario && identifyRules(each.scenario)),
      name: getFileTitle(each) ?? null,
      hash: each.hash ?? null,
      ...(each.kind === 'scenario' && each.scenario && createCostsJson(each.scenario)),
      points: getSize(each, 'sweep', 'roster'),
      expectations: getSize(each, 'expectations'),
      errors: listErrors(each).map((error) => createErrorJson(error, each.file)),
      more: each.error !== undefined && 'more' in each.error ? each.error.more : 0,
    })),
  };
}

/** Formats the number of valid files, and a table of the errors. */
export function formatCheckMarkdown(files: readonly CheckedFile[]): string {
  const rows = files.flatMap((each) => listErrors(each).map(({ place, expected, found }) => [place, expected, found]));
  const good = files.filter(({ error }) => error === undefined).length;
  const verdict = `${formatGrouped(good)} of ${formatGrouped(files.length)} files are ok.`;
  const table = rows.length === 0 ? '' : `\n\n${formatMarkdownTable(['place', 'expected', 'found'], rows)}`;
  return `## warpool check\n\n${verdict}${table}`;
}
