/** What `verify` prints. */
import type { Verification } from '../store/verify.ts';
import { clean } from './clean.ts';
import { grouped, significant } from './digits.ts';
import type { Look } from './table.ts';

/** Faults that are told. */
const TOLD = 20;

function again({ replayed, battles, solved, engine }: Verification): string {
  const played = `${grouped(replayed)} cells played again by the engine ${engine}, ${grouped(battles)} battles`;
  const parts = [...(replayed > 0 ? [played] : []), ...(solved > 0 ? [`${grouped(solved)} cells solved again`] : [])];
  return parts.length === 0 ? 'no cell was played or solved again' : parts.join('; ');
}

/** How the same cells can be chosen again; nothing if none was chosen, or all were. */
function chosenBy({ probability, seed }: Verification): string {
  return probability > 0 && probability < 1 ? ` --seed ${seed} chooses the same cells again.` : '';
}

function percent(probability: number): string {
  return `${significant(100 * probability, 3)} %`;
}

/** The sheet of a verification. */
export function verifySheet(result: Verification, { paint }: Look): string {
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
    `${grouped(cells)} cells: sums, digests and all rows checked; ${hashes}`,
    again(result),
    ...notes.map((note) => paint.yellow(clean(note))),
    paint.dim(
      `One cell altered together with its digests would have been found with ${percent(probability)}.${chosenBy(result)}`,
    ),
    ...(faults.length === 0
      ? []
      : ['', ...faults.slice(0, TOLD).map(({ where, what }) => `${paint.red('✗')} ${clean(where)}: ${clean(what)}`)]),
    ...(faults.length > TOLD ? [`and ${grouped(faults.length - TOLD)} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

export function verifyJson(result: Verification, version: string) {
  return { warpool: version, ...result };
}
