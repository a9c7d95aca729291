/** Output of `conform`: lines, JSON. */

import type { Finding } from '../../conformance/index.ts';
import { createVersionInfo } from '../../stats/index.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { type TerminalStyle, wrapText } from '../text/table.ts';

/** A system that was checked. */
export interface ConformanceResult {
  readonly system: string;
  readonly title: string;
  /** Path of the module, as requested. */
  readonly file: string;
  readonly checks: readonly { readonly id: string; readonly title: string }[];
  readonly findings: readonly Finding[];
  /** Files of the scenarios, by name of the scenario. */
  readonly files: Readonly<Record<string, string>>;
}

/** Quotes a word of a command for a shell. */
const quoteCommandWord = (word: string): string =>
  /^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Formats the command that replays the battle of a finding; undefined if it has none. */
export function formatReplayCommand(
  { file, files }: ConformanceResult,
  { scenario, input, battle }: Finding,
): string | undefined {
  if (battle === undefined) return undefined;
  const from = Object.hasOwn(files, scenario) ? files[scenario] : undefined;
  const command = `warpool replay ${from === undefined ? '-' : quoteCommandWord(from)}`;
  const options = `--systems ${quoteCommandWord(file)} --seed ${battle.seed} --battle ${String(battle.battle)}`;
  return `${from === undefined ? `echo ${quoteCommandWord(JSON.stringify(input))} | ` : ''}${command} ${options}`;
}

/** True if no finding is an error. */
export const isConformant = ({ findings }: ConformanceResult): boolean => findings.every(({ ok }) => ok);

const formatCount = (count: number, word: string): string => `${String(count)} ${word}${count === 1 ? '' : 's'}`;

/** Formats the first failure of a check, and the number of other scenarios that show it. */
function formatFailures(conformed: ConformanceResult, findings: readonly Finding[], look: TerminalStyle): string[] {
  const [first] = findings;
  if (first === undefined) return [];
  const { scenario, message, advice } = first;
  const others = new Set(findings.map((each) => each.scenario)).size - 1;
  const where = scenario === '' ? '' : `Scenario "${scenario}": `;
  const also = others === 0 ? '' : ` Also in ${formatCount(others, 'other scenario')}.`;
  const lines = [`${where}${message}.`, `${advice}${also}`].flatMap((line) =>
    wrapText(sanitizeLine(line), 6, look.width),
  );
  const command = formatReplayCommand(conformed, first);
  return command === undefined ? lines : [...lines, `      ${look.paint.dim(sanitizeLine(command))}`];
}

/** Formats the notes of a check, without duplicates. */
function formatNotes(findings: readonly Finding[], look: TerminalStyle): string[] {
  const reported = new Map<string, number>();
  for (const { message, checked, absent, advice } of findings) {
    const text =
      checked || absent
        ? `${message}${advice === '' ? '' : `. ${advice}`}`
        : `incomplete: ${message.replace(/\(.*\)$|the first \d+/, '').trim()}`;
    if (message !== '') reported.set(text, absent ? 1 : (reported.get(text) ?? 0) + 1);
  }
  return [...reported].flatMap(([text, count]) =>
    wrapText(sanitizeLine(count === 1 ? text : `${text} (${String(count)} scenarios)`), 6, look.width).map(
      look.paint.dim,
    ),
  );
}

/** Formats one line for each check, with its failures and notes below. */
export function formatConformanceSheet(conformed: ConformanceResult, verbose: boolean, look: TerminalStyle): string {
  const { system, title, file, checks, findings } = conformed;
  const { paint } = look;
  const lines = checks.flatMap((check) => {
    const own = findings.filter((finding) => finding.check === check.id);
    const bad = own.filter(({ ok }) => !ok);
    const isExamined = own.some(({ checked }) => checked);
    const verdict = bad.length > 0 ? paint.red('WRONG') : isExamined ? paint.green('ok   ') : paint.dim('-    ');
    const reported = bad.length > 0 ? formatFailures(conformed, bad, look) : [];
    const all = verbose || ['coverage', 'visibility'].includes(check.id);
    const notes = formatNotes(
      own.filter(({ ok, advice, absent }) => ok && (all || absent || advice !== '')),
      look,
    );
    return own.length === 0 ? [] : [`${verdict} ${check.title}`, ...reported, ...notes];
  });
  const failed = new Set(findings.filter(({ ok }) => !ok).map(({ check }) => check)).size;
  const scenarios = new Set(findings.map(({ scenario }) => scenario).filter((name) => name !== '')).size;
  const partly = new Set(findings.filter(({ checked, absent }) => !checked && !absent).map(({ scenario }) => scenario))
    .size;
  const verdict =
    failed === 0 ? `${system} conforms` : `${system} does not conform: ${formatCount(failed, 'check')} failed`;
  const where = verbose ? '' : ' (see --verbose)';
  const rest =
    partly === 0 || failed > 0 ? '' : `; ${formatCount(partly, 'scenario')} too large for some checks${where}`;
  const head = `${paint.bold(sanitizeLine(title))} · ${system} · ${sanitizeLine(file)}`;
  return `${[head, '', ...lines, '', `${verdict}, ${formatCount(scenarios, 'scenario')} tested${rest}`].join('\n')}\n`;
}

/** Creates one object for all systems. */
export function createConformanceJson(all: readonly ConformanceResult[]) {
  return {
    ...createVersionInfo(),
    ok: all.every(isConformant),
    systems: all.map((conformed) => ({
      system: conformed.system,
      file: conformed.file,
      ok: isConformant(conformed),
      checks: conformed.checks.map(({ id, title }) => ({ id, title })),
      findings: conformed.findings.map((finding) => ({
        check: finding.check,
        scenario: finding.scenario === '' ? null : finding.scenario,
        ok: finding.ok,
        checked: finding.checked,
        message: finding.message,
        advice: finding.advice,
        seed: finding.battle?.seed ?? null,
        battle: finding.battle?.battle ?? null,
        replay: formatReplayCommand(conformed, finding) ?? null,
      })),
    })),
  };
}
