/** What `verify` prints. */
import { version } from '../../core/index.ts';
import type { Verification } from '../../storage/node.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { formatDuration, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatDimSentence, type TerminalStyle, wrapSentence } from '../text/table.ts';

/** Faults that are printed. */
const MAX_FAULTS = 20;

/** The first faults, a line each, below an empty line, and the number of the others. */
export function formatFaults(faults: Verification['faults'], paint: TerminalStyle['paint']): string[] {
  if (faults.length === 0) return [];
  const lines = faults
    .slice(0, MAX_FAULTS)
    .map(({ where, what }) => `${paint.red('✗')} ${sanitizeLine(where)}: ${sanitizeLine(what)}`);
  const more = faults.length - lines.length;
  return ['', ...lines, ...(more > 0 ? [`and ${formatGrouped(more)} more`] : [])];
}

/** What is checked one by one: cells of a sweep, parts of a run. */
type VerifiedItems = 'cells' | 'parts';

const toSingularItem = (things: VerifiedItems): string => things.slice(0, -1);

function formatReplayed({ replayed, battles, solved, engine }: Verification, things: VerifiedItems): string {
  const played = `${formatGrouped(replayed)} ${things} played again by the engine ${engine}, ${formatGrouped(battles)} battles`;
  const parts = [
    ...(replayed > 0 ? [played] : []),
    ...(solved > 0 ? [`${formatGrouped(solved)} cells solved again`] : []),
  ];
  return parts.length === 0 ? `no ${toSingularItem(things)} was played or solved again` : parts.join('; ');
}

/** How the same cells can be chosen again; nothing if none was chosen, or all were. */
function formatSelection({ probability, seed }: Verification, things: VerifiedItems): string {
  return probability > 0 && probability < 1 ? ` --seed ${seed} chooses the same ${things} again.` : '';
}

function formatShare(probability: number): string {
  return formatPercent(formatSignificant, probability, 3);
}

/** How likely the check was to find a cell that was altered with its digests. */
function formatDetectionProbability(probability: number, things: VerifiedItems): string {
  return `One ${toSingularItem(things)} altered together with its digests would have been found with a probability of ${formatShare(probability)}.`;
}

/** How long it took, and how much was checked in a second; nothing unless that is known. */
function formatSpeed(seconds: number, checked: number): string {
  return seconds > 0 ? ` in ${formatDuration(seconds)}, ${formatSignificant(checked / seconds, 3)}/s` : '';
}

/** The sheet of a verification. @param things what was checked @param seconds it took */
export function formatVerifySheet(
  result: Verification,
  look: TerminalStyle,
  things: VerifiedItems = 'cells',
  seconds = 0,
): string {
  const { paint } = look;
  const { folder, cells, parts, probability, faults, notes, complete } = result;
  const verdict =
    faults.length > 0
      ? paint.red('not as it should be')
      : complete
        ? paint.green('all is as it should be')
        : 'not all was checked';
  const hashes =
    parts === 0 ? 'no hashes of parts to check' : `${formatGrouped(parts)} parts against the hashes of the manifest`;
  const lines = [
    `${paint.bold(sanitizeLine(folder))}${paint.dim(' · ')}${verdict}`,
    '',
    ...wrapSentence(
      `${formatGrouped(cells)} ${things}: sums, digests and all rows checked${formatSpeed(seconds, cells)}; ${hashes}`,
      look,
    ),
    ...wrapSentence(formatReplayed(result, things), look),
    ...notes.flatMap((note) => wrapSentence(sanitizeLine(note), look).map(paint.yellow)),
    ...formatDimSentence(`${formatDetectionProbability(probability, things)}${formatSelection(result, things)}`, look),
    ...formatFaults(faults, paint),
  ];
  return `${lines.join('\n')}\n`;
}

export function createVerifyJson(result: Verification) {
  return { warpool: version(), ...result };
}
