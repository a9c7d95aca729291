/** `warpool verify` */

import { InputError } from '../core/index.ts';
import { chance, registryOf } from '../rules/index.ts';
import { count, type Given, picked, type Settings, seedOf, word } from '../rules/setting.ts';
import { THREADS } from '../studies/index.ts';
import { verifyJson, verifySheet } from '../tell/index.ts';
import { isRunIn, verifyStore } from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended, endIfStopped } from './failure.ts';
import { annotate } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long } from './options.ts';
import { longProgress, watched } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  cells: count(
    0,
    1e9,
    'cells to play and solve again, chosen at random (default: 10), or parts of a kept run (default: 1)',
  ),
  probability: chance(
    'play so many cells again that one cell, altered with all its digests, is found with this probability',
  ),
  engine: word('who plays again: the rules as written (default), or the kernel (default for a kept run)', [
    'reference',
    'kernel',
  ]),
  ...THREADS,
  seed: seedOf('choose the same cells again as a verification that reported this seed'),
  json,
} as const satisfies Settings;

type VerifyOptions = Given<typeof ASKED> & Known & Long;

export async function verify(folder: string, options: VerifyOptions, signals: Signals): Promise<void> {
  const { cells, probability, engine, seed, json } = options;
  if (cells !== undefined && probability !== undefined)
    throw new InputError('--probability', 'not together with --cells', 'both');
  const systems = await registryFor(options, folder);
  const things = (await isRunIn(folder, registryOf(systems))) ? 'parts' : 'cells';
  const began = performance.now();
  const asked = { cells, probability, engine, ...picked(THREADS, options), seed, systems };
  const result = await watched(longProgress(options, things), signals, (watch) =>
    verifyStore(folder, { ...asked, ...watch }),
  );
  if (json === true) printJson(verifyJson(result));
  else print(verifySheet(result, look(process.stdout), things, (performance.now() - began) / 1000));
  endIfStopped(signals, `interrupted before all ${things} were checked`);
  annotate(result.faults.map(({ where, what }) => ({ title: `${folder}: ${where}`, message: what })));
  if (result.faults.length > 0) throw new Ended(1);
}

const VERIFY_NOTES = `
Hashes, sums, digests and all rows are checked throughout: whatever does not fit the rest is found
for certain. Cells chosen at random are played again by the other engine and solved again: that finds
who altered a cell with all its digests. Exit code 1 if anything is not as it should be.`;

export const command: DeclaredCommand = {
  description: 'Checks the results of a sweep, or of run --out, against themselves and against battles played again.',
  takes: ['the results of a sweep, or of run --out'],
  asked: ASKED,
  after: [examples('verify results', 'verify results --probability 0.95'), VERIFY_NOTES],
  action: (folder: string, options: VerifyOptions) => verify(folder, options, catchSignals()),
};
