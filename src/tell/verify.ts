/** What `verify` prints. */
import { version } from '../core/index.ts';
import type { Verification } from '../work/node.ts';
import { percent } from './figure.ts';
import { clean } from './text/clean.ts';
import { duration, grouped, significant } from './text/digits.ts';
import { flowed, type Look, said } from './text/table.ts';

/** Faults that are printed. */
const FAULTS = 20;

/** The first faults, a line each, below an empty line, and the number of the others. */
export function faultLines(faults: Verification['faults'], paint: Look['paint']): string[] {
  if (faults.length === 0) return [];
  const lines = faults.slice(0, FAULTS).map(({ where, what }) => `${paint.red('✗')} ${clean(where)}: ${clean(what)}`);
  const more = faults.length - lines.length;
  return ['', ...lines, ...(more > 0 ? [`and ${grouped(more)} more`] : [])];
}

/** What is checked one by one: cells of a sweep, parts of a run. */
type Things = 'cells' | 'parts';

const one = (things: Things): string => things.slice(0, -1);

function again({ replayed, battles, solved, engine }: Verification, things: Things): string {
  const played = `${grouped(replayed)} ${things} played again by the engine ${engine}, ${grouped(battles)} battles`;
  const parts = [...(replayed > 0 ? [played] : []), ...(solved > 0 ? [`${grouped(solved)} cells solved again`] : [])];
  return parts.length === 0 ? `no ${one(things)} was played or solved again` : parts.join('; ');
}

/** How the same cells can be chosen again; nothing if none was chosen, or all were. */
function chosenBy({ probability, seed }: Verification, things: Things): string {
  return probability > 0 && probability < 1 ? ` --seed ${seed} chooses the same ${things} again.` : '';
}

function shareText(probability: number): string {
  return percent(significant, probability, 3);
}

/** How likely the check was to find a cell that was altered with its digests. */
function odds(probability: number, things: Things): string {
  return `One ${one(things)} altered together with its digests would have been found with a probability of ${shareText(probability)}.`;
}

/** How long it took, and how much was checked in a second; nothing unless that is known. */
function rate(seconds: number, checked: number): string {
  return seconds > 0 ? ` in ${duration(seconds)}, ${significant(checked / seconds, 3)}/s` : '';
}

/** The sheet of a verification. @param things what was checked @param seconds it took */
export function verifySheet(result: Verification, look: Look, things: Things = 'cells', seconds = 0): string {
  const { paint } = look;
  const { folder, cells, parts, probability, faults, notes, complete } = result;
  const verdict =
    faults.length > 0
      ? paint.red('not as it should be')
      : complete
        ? paint.green('all is as it should be')
        : 'not all was checked';
  const hashes =
    parts === 0 ? 'no hashes of parts to check' : `${grouped(parts)} parts against the hashes of the manifest`;
  const lines = [
    `${paint.bold(clean(folder))}${paint.dim(' · ')}${verdict}`,
    '',
    ...flowed(
      `${grouped(cells)} ${things}: sums, digests and all rows checked${rate(seconds, cells)}; ${hashes}`,
      look,
    ),
    ...flowed(again(result, things), look),
    ...notes.flatMap((note) => flowed(clean(note), look).map(paint.yellow)),
    ...said(`${odds(probability, things)}${chosenBy(result, things)}`, look),
    ...faultLines(faults, paint),
  ];
  return `${lines.join('\n')}\n`;
}

export function verifyJson(result: Verification) {
  return { warpool: version(), ...result };
}
