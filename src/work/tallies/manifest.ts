/** `run.json`: what is played into a folder, by which program, and, once all is there, what came of it. */
import { join } from 'node:path';
import { ownRules, RULESET, rulesOf, scenarioHash } from '../../answers/digest.ts';
import { parseCount, parseSeed } from '../../core/chance/seed.ts';
import { MAX_BATTLES } from '../../core/chance/stream.ts';
import { InputError, InputErrors, RunError } from '../../core/errors.ts';
import { version } from '../../core/version.ts';
import { kernelHash } from '../../engines/kernel/load.ts';
import { SHIPPED } from '../../rules/index.ts';
import type { Registry } from '../../rules/registry.ts';
import { describeFound } from '../../rules/scenario/finding.ts';
import type { Scenario } from '../../rules/system.ts';
import { askedOf, lengthOf, type RunAsked } from '../../studies/asked.ts';
import { unreadable } from '../folder/regular.ts';
import { checkRules, checkStorable, kernelNames } from '../folder/rules.ts';
import { readSealed, writeSealed } from '../folder/sealed.ts';
import { endOf, type PrepareRunOptions } from './asked.ts';
import { checkedRun } from './checked.ts';
import { RUN_FILE } from './files.ts';
import { RANGES_MAX, rangeSizeOf } from './ranges.ts';
import { RUN_FORMAT, type RunManifest } from './schema.ts';

export type { RunManifest } from './schema.ts';

/** @throws InputError if an option is out of range, or the system was not loaded from a file */
export function newRun(scenario: Scenario, asked: PrepareRunOptions): RunManifest {
  checkStorable({ spec: { scenario } }, 'the');
  const { precision, engine = 'kernel' } = asked;
  const seed = parseSeed(asked.seed ?? 1n);
  const from = parseCount(asked.from ?? 0, 'from', 0, MAX_BATTLES - 1);
  const to = endOf(scenario, { ...asked, from });
  const known = precision === undefined ? to - from : 0;
  const least = Math.max(1, Math.ceil(known / RANGES_MAX));
  const rangeSize = parseCount(asked.rangeSize ?? rangeSizeOf(scenario, known), 'rangeSize', least);
  const kernels = kernelNames({ spec: { scenario } });
  return {
    format: RUN_FORMAT,
    warpool: version(),
    ruleset: RULESET,
    ...ownRules(rulesOf(scenario)),
    kernels: Object.fromEntries(kernels.map((name) => [name, kernelHash(name)])),
    scenarioHash: scenarioHash(scenario),
    scenario,
    seed: String(seed),
    engine,
    ...lengthOf(asked),
    ...{ from, to, rangeSize },
    complete: false,
  };
}

/** The options with which `simulate` plays it. */
export function optionsOfRun(run: RunManifest): RunAsked {
  const { battles, precision, from, to } = run;
  return { ...askedOf(run), battles: battles ?? (precision === undefined ? to - from : undefined) };
}

/** @throws RunError if it cannot be written */
export async function writeRun(folder: string, run: RunManifest): Promise<void> {
  await writeSealed(folder, RUN_FILE, run);
}

/**
 * The run in a folder, checked: its seal, its form, and all that follows from its scenario and options.
 * @param registry in which its system is found
 * @returns undefined if there is none
 * @throws InputError if it is of another version, or by other rules
 * @throws RunError if it is damaged or contradicts itself; the message tells where
 */
export async function findRun(folder: string, registry: Registry = SHIPPED): Promise<RunManifest | undefined> {
  if (typeof (folder as unknown) !== 'string') throw new InputError('folder', 'a path', describeFound(folder));
  const path = join(folder, RUN_FILE);
  const found = await readSealed(folder, RUN_FILE, { what: 'a run that warpool has kept', format: RUN_FORMAT });
  if (found === undefined) return undefined;
  checkRules({ sweep: { scenario: found['scenario'] }, systemHash: found['systemHash'] }, path, registry);
  try {
    return checkedRun(found, path, registry);
  } catch (error) {
    const told = error instanceof InputError || error instanceof InputErrors;
    throw told ? new RunError(error.message, { cause: error }) : unreadable(path, error);
  }
}

/** @throws InputError if the folder has none */
export async function readRun(folder: string, registry: Registry = SHIPPED): Promise<RunManifest> {
  const run = await findRun(folder, registry);
  if (run !== undefined) return run;
  throw new InputError(folder, 'a folder that warpool run --out has made', `no ${RUN_FILE} in it`);
}
