/** `warpool verify` */
import { InputError } from '../core/errors.ts';
import { version } from '../core/version.ts';
import { verifyJson, verifySheet } from '../tell/verify.ts';
import { verifyStore } from '../work/store/verify.ts';
import { isRun, verifyRun } from '../work/tallies/verify.ts';
import { Ended } from './failure.ts';
import { annotate } from './github.ts';
import type { Signals } from './interrupt.ts';
import { longProgress } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson } from './terminal.ts';

export interface VerifyOptions extends Known {
  readonly cells?: number;
  readonly probability?: number;
  readonly engine?: 'reference' | 'kernel';
  readonly workers?: number;
  readonly seed?: bigint;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function verify(folder: string, options: VerifyOptions, signals: Signals): Promise<void> {
  const { cells, probability, engine, workers, seed, json, quiet } = options;
  if (cells !== undefined && probability !== undefined)
    throw new InputError('--probability', 'not together with --cells', 'both');
  const systems = await registryFor(options);
  const ofRun = await isRun(folder);
  const things = ofRun ? 'parts' : 'cells';
  const bar = longProgress(quiet === true, things);
  const asked = { cells, probability, engine, workers, seed, systems, signal: signals.stop, onProgress: bar.show };
  const result = await (ofRun ? verifyRun : verifyStore)(folder, asked).finally(() => {
    bar.end();
  });
  if (json === true) printJson(verifyJson(result, version()));
  else print(verifySheet(result, look(process.stdout), things));
  const code = signals.code();
  if (code !== undefined) throw new Ended(code, `interrupted before all ${things} were checked`);
  annotate(result.faults.map(({ where, what }) => ({ title: `${folder}: ${where}`, message: what })));
  if (result.faults.length > 0) throw new Ended(1);
}
