/** Reports of the gate: table, Markdown, JUnit XML, and JSON for github-action-benchmark. */

import type { Annotation } from '../../src/report/checks/github.ts';
import { formatJUnitXml } from '../../src/report/checks/junit.ts';
import { formatTable, type TerminalStyle, type TextColumn, wrapSentence } from '../../src/report/text/table.ts';
import type { GateReport } from './gate.ts';
import type { GateFinding } from './judge.ts';

function figure(value: number | string | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value.slice(0, 12);
  return Number.isInteger(value) ? String(value) : value.toPrecision(5);
}

/** Formats the relative difference of a value from its baseline, in percent. */
function change({ value, baseline }: GateFinding): string {
  if (typeof value === 'string' || typeof baseline !== 'number' || baseline === 0) return '';
  const percent = 100 * (value / baseline - 1);
  return `${percent >= 0 ? '+' : ''}${percent.toFixed(2)} %`;
}

const nameOf = ({ benchmark, what }: GateFinding): string => `${benchmark} ${what}`;

const cells = (finding: GateFinding): string[] => [
  figure(finding.value),
  finding.unit,
  figure(finding.baseline),
  figure(finding.limit),
  change(finding),
];

const HEADS: readonly TextColumn[] = [
  { head: '', align: 'left' },
  { head: 'value', align: 'point' },
  { head: '', align: 'left' },
  { head: 'baseline', align: 'point', spare: 2 },
  { head: 'limit', align: 'point', spare: 1 },
  { head: 'change', align: 'point' },
  { head: '', align: 'left' },
];

/** Unchanged counters are summarized in one line. */
function worthShowing({ layer, status }: GateFinding): boolean {
  return layer !== 'counters' || status !== 'ok';
}

function verdict({ passed: held, findings, against }: GateReport): string {
  const broken = findings.filter(({ status }) => status === 'broken').length;
  const better = findings.filter(({ status }) => status === 'better').length;
  if (!held) return `The gate fails: ${String(broken)} of ${String(findings.length)} values exceed their limit.`;
  const praise =
    better > 0 ? `; ${String(better)} are better than ${against ?? 'the baseline; consider renewing it'}` : '';
  return `The gate passes: ${String(findings.length)} values are within their limits${praise}.`;
}

function calm({ findings }: GateReport): string[] {
  const same = findings.filter((finding) => !worthShowing(finding)).length;
  return same > 0 ? [`${String(same)} counters are unchanged.`] : [];
}

export function gateTable(report: GateReport, look: TerminalStyle): string {
  const paint = (status: string): string => {
    if (status === 'broken') return look.paint.red(status);
    return status === 'better' ? look.paint.green(status) : status;
  };
  const shown = report.findings.filter(worthShowing);
  const rows = shown.map((finding) => [nameOf(finding), ...cells(finding), paint(finding.status)]);
  const table = rows.length === 0 ? [] : [...formatTable(HEADS, rows, look), ''];
  const sentences = [...calm(report), ...report.notes, verdict(report)];
  return `${[...table, ...sentences.flatMap((line) => wrapSentence(line, look))].join('\n')}\n`;
}

export function gateMarkdown(report: GateReport): string {
  const rows = report.findings
    .filter(worthShowing)
    .map((finding) => `| ${[nameOf(finding), ...cells(finding), finding.status].join(' | ')} |`);
  const head = [
    '| benchmark | value | unit | baseline | limit | change | |',
    '| --- | ---: | --- | ---: | ---: | ---: | --- |',
  ];
  const { cpu, node } = report.machine;
  const title = report.against === undefined ? '' : ` against ${report.against}`;
  const lines = [...(rows.length > 0 ? [...head, ...rows, ''] : []), ...calm(report), ...report.notes];
  return `## warpool gate${title}\n\n${verdict(report)}\n\n${lines.join('\n')}\n\n${cpu}, Node ${node}\n`;
}

/** Formats a value that exceeds its limit. */
function broken({ value, unit, baseline, limit }: GateFinding): string {
  return `${figure(value)} ${unit}, baseline ${figure(baseline)}, limit ${figure(limit ?? baseline)}`;
}

/** Creates one suite for each layer. Its time is divided equally, because benchmarks are measured in turns. */
export function gateJUnit({ findings, seconds: taken }: GateReport): string {
  const layers = [...new Set(findings.map(({ layer }) => layer))];
  const suites = layers.map((layer) => {
    const [mine, seconds = 0] = [findings.filter((finding) => finding.layer === layer), taken[layer]];
    const cases = mine.map((finding) => {
      const message = broken(finding);
      const failure = finding.status === 'broken' ? { message, text: message } : undefined;
      return { classname: `gate.${layer}`, name: nameOf(finding), seconds: seconds / mine.length, failure };
    });
    return { name: `gate.${layer}`, seconds, cases };
  });
  return formatJUnitXml(suites);
}

/** Entry of `customSmallerIsBetter`. */
interface Entry {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly range?: string;
  readonly extra: string;
}

export function gateBenchmarks({ findings }: GateReport): Entry[] {
  return findings.flatMap((finding) => {
    const { layer, unit, value, range, baseline, limit, status } = finding;
    if (typeof value === 'string') return [];
    const extra = [layer, status, `baseline ${figure(baseline)}`, `limit ${figure(limit)}`].join('\n');
    return [{ name: nameOf(finding), unit, value, ...(range !== undefined && { range: `± ${figure(range)}` }), extra }];
  });
}

/** Creates annotations of values that exceed their limits. */
export function gateAnnotations({ findings }: GateReport): Annotation[] {
  return findings
    .filter(({ status }) => status === 'broken')
    .map((finding) => ({ title: `${nameOf(finding)} exceeds its limit`, message: broken(finding) }));
}
