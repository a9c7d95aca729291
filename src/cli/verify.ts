/** `warpool verify` */

import { THREADS } from '../analysis/index.ts';
import { createConflictError } from '../core/index.ts';
import { createVerifyJson, formatVerifySheet } from '../report/index.ts';
import { probabilityOption, toRegistry } from '../rules/index.ts';
import { count, type OptionSpecs, type ParsedOptions, pickOptions, seedOption, word } from '../rules/option-spec.ts';
import { isRunIn, verifyStore } from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { CommandExit, endIfStopped } from './failure.ts';
import { annotate } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type LongRunningOptions } from './options.ts';
import { createLongProgressBar, watched } from './progress.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const OPTIONS = {
  cells: count(
    0,
    1e9,
    'number of random cells to simulate and solve again (default: 10), or parts of a resumable run (default: 1)',
  ),
  probability: probabilityOption(
    'repeat enough cells to detect one cell that was changed with all its digests with this probability',
  ),
  engine: word('engine: the rules as written (default), or the kernel (default for a resumable run)', [
    'reference',
    'kernel',
  ]),
  ...THREADS,
  seed: seedOption('repeat the same cells as a verification that reported this seed'),
  json,
} as const satisfies OptionSpecs;

type VerifyCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions & LongRunningOptions;

export async function verifyFolder(folder: string, options: VerifyCommandOptions, signals: Signals): Promise<void> {
  const { cells, probability, engine, seed, json } = options;
  if (cells !== undefined && probability !== undefined) throw createConflictError('--probability', '--cells');
  const systems = await loadRegistry(options, folder);
  const things = (await isRunIn(folder, toRegistry(systems))) ? 'parts' : 'cells';
  const began = performance.now();
  const requested = { cells, probability, engine, ...pickOptions(THREADS, options), seed, systems };
  const result = await watched(createLongProgressBar(options, things), signals, (watch) =>
    verifyStore(folder, { ...requested, ...watch }),
  );
  if (json === true) printJson(createVerifyJson(result));
  else print(formatVerifySheet(result, readTextStyle(process.stdout), things, (performance.now() - began) / 1000));
  endIfStopped(signals, `interrupted before all ${things} were checked`);
  annotate(result.faults.map(({ where, what }) => ({ title: `${folder}: ${where}`, message: what })));
  if (result.faults.length > 0) throw new CommandExit(1);
}

const VERIFY_NOTES = `
All hashes, sums, digests and rows are checked, so every inconsistency is found. Random cells are simulated again with the
other engine and solved again, which detects a cell that was changed together with all its digests.
Exit code 1 if a problem is found.`;

export const command: CommandDeclaration = {
  description: 'Checks the results of a sweep or of run --out for consistency, and repeats a sample of battles.',
  parameters: ['folder of a sweep, or of run --out'],
  settings: OPTIONS,
  notes: [formatExamples('verify results', 'verify results --probability 0.95'), VERIFY_NOTES],
  action: (folder: string, options: VerifyCommandOptions) => verifyFolder(folder, options, catchSignals()),
};
