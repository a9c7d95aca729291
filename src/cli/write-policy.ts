/** Files of policies. */
import { writeText } from '../core/node.ts';
import { formatGrouped } from '../report/index.ts';
import type { PolicyTable } from '../rules/index.ts';
import { printStatus } from './terminal.ts';

/** Writes a policy with one line per state. @throws RunError if it cannot be written */
export async function writePolicy(path: string, { states, ...head }: PolicyTable): Promise<void> {
  const lines = states.map((state) => JSON.stringify(state));
  await writeText(path, `${JSON.stringify(head).slice(0, -1)},"states":[\n${lines.join(',\n')}\n]}\n`);
  printStatus(`${path}: written, ${formatGrouped(states.length)} ${states.length === 1 ? 'state' : 'states'}`);
}
