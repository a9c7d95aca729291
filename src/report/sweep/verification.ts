/** Output of `verify`. */
import { version } from '../../core/index.ts';
import type { Verification } from '../../storage/node.ts';
import { formatPercent } from '../sheet/estimated-value.ts';
import { formatDuration, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatDimSentence, type TerminalStyle, wrapSentence } from '../text/table.ts';

/** Maximum number of printed faults. */
const MAX_FAULTS = 20;

/** Formats an empty line, one line for each of the first faults, and the number of the others. */
export function formatFaults(faults: Verification['faults'], paint: TerminalStyle['paint']): string[] {
  if (faults.length === 0) return [];
  const lines = faults
    .slice(0, MAX_FAULTS)
    .map(({ where, what }) => `${paint.red('✗')} ${sanitizeLine(where)}: ${sanitizeLine(what)}`);
  const more = faults.length - lines.length;
  return ['', ...lines, ...(more > 0 ? [`and ${formatGrouped(more)} more`] : [])];
}

/** Items that are checked one by one: cells of a sweep, parts of a run. */
type VerifiedItems = 'cells' | 'parts';

const toSingularItem = (things: VerifiedItems): string => things.slice(0, -1);

function formatReplayed({ replayed, battles, solved, engine }: Verification, things: VerifiedItems): string {
  const played = `${formatGrouped(replayed)} ${things} simulated again by the engine ${engine}, ${formatGrouped(battles)} battles`;
  const parts = [
    ...(replayed > 0 ? [played] : []),
    ...(solved > 0 ? [`${formatGrouped(solved)} cells solved again`] : []),
  ];
  return parts.length === 0 ? `no ${toSingularItem(things)} was simulated or solved again` : parts.join('; ');
}

/** Formats the option that selects the same items again. Empty if none or all were selected. */
function formatSelection({ probability, seed }: Verification, things: VerifiedItems): string {
  return probability > 0 && probability < 1 ? ` --seed ${seed} selects the same ${things} again.` : '';
}

function formatShare(probability: number): string {
  return formatPercent(formatSignificant, probability, 3);
}

/** Formats the probability that the check detects one item that was altered with its digests. */
function formatDetectionProbability(probability: number, things: VerifiedItems): string {
  return `A ${toSingularItem(things)} altered together with its digests is detected with a probability of ${formatShare(probability)}.`;
}

/** Formats duration and speed. Empty if the duration is not known. */
function formatSpeed(seconds: number, checked: number): string {
  return seconds > 0 ? ` in ${formatDuration(seconds)}, ${formatSignificant(checked / seconds, 3)}/s` : '';
}

/** Formats the report of a verification. @param things checked items @param seconds duration */
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
      ? paint.red('problems found')
      : complete
        ? paint.green('OK, no problems found')
        : 'check incomplete';
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
