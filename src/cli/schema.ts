/** `warpool schema` */
import { InputError } from '../core/errors.ts';
import { didYouMean } from '../core/names.ts';
import { columns } from '../tell/text/table.ts';
import { type Known, registryFor } from './registry.ts';
import { kindsOf } from './schemas.ts';
import { look, print } from './terminal.ts';

/** @param name of a kind; without one all are listed */
export async function schema(name: string | undefined, options: Known): Promise<void> {
  const kinds = kindsOf(await registryFor(options));
  if (name === undefined) {
    const heads = [
      { head: 'kind', align: 'left' as const },
      { head: 'JSON Schema of', align: 'left' as const },
    ];
    const rows = kinds.map(({ names, about }) => [names.join(', '), about]);
    print(`${columns(heads, rows, look(process.stdout)).join('\n')}\n`);
    return;
  }
  const found = kinds.find(({ names }) => names.includes(name));
  const words = kinds.flatMap(({ names }) => names);
  if (found === undefined)
    throw new InputError('kind', `one of ${words.join(', ')}`, `"${name}"${didYouMean(name, words)}`);
  print(`${JSON.stringify(found.schema(), undefined, 2)}\n`);
}
