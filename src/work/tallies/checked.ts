/** Checks a `run.json` against its schema, and whatever in it follows from the run that it holds. */

import { rulesOf, scenarioHash } from '../../answers/digest.ts';
import { parseSeed } from '../../core/chance/seed.ts';
import { InputError } from '../../core/errors.ts';
import type { Registry } from '../../rules/registry.ts';
import { checkWith } from '../../rules/scenario/check.ts';
import { describeFound } from '../../rules/scenario/finding.ts';
import { kernelNames } from '../folder/rules.ts';
import { checkDepth, checkWhole, openWhole, same } from '../store/checked.ts';
import { endOf } from './asked.ts';
import { rangeIn } from './files.ts';
import { RANGES_MAX, rangesIn } from './ranges.ts';
import { type RunManifest, runSchema } from './schema.ts';

/** What follows from scenario and options. */
function checkRun(run: RunManifest, path: string): void {
  const { scenario, from, to, rangeSize } = run;
  same(`${path} scenarioHash`, scenarioHash(scenario), run.scenarioHash);
  same(`${path} systemHash`, rulesOf(scenario).systemHash, run.systemHash);
  const names = kernelNames({ spec: { scenario } }).sort().join(', ');
  same(`${path} kernels`, names, Object.keys(run.kernels).sort().join(', '));
  parseSeed(run.seed, `${path} seed`);
  same(`${path} to`, endOf(scenario, { ...run, from }), to);
  if (rangeSize < 1 || (run.precision === undefined && rangesIn(run) > RANGES_MAX))
    throw new InputError(`${path} rangeSize`, `at most ${String(RANGES_MAX)} ranges`, String(rangeSize));
}

/** Parts are those of battles from..end-1, one after the other. */
function checkParts(run: RunManifest, path: string): void {
  let { from: next } = run;
  for (const [p, { file }] of (run.parts ?? []).entries()) {
    const range = rangeIn(run, file);
    if (range?.from !== next)
      throw new InputError(`${path} parts[${String(p)}].file`, `the part from battle ${String(next)} on`, file);
    next = range.to;
  }
  if (run.complete) same(`${path} end`, next, run.end);
}

/** What is told at the end of a run is there at its end, and not before. */
function checkComplete({ complete, end, digest, parts }: RunManifest, path: string): void {
  for (const [name, value] of Object.entries({ end, digest, parts })) {
    if ((value !== undefined) === complete) continue;
    const due = complete ? 'a value, for the run is complete' : 'nothing, for the run is not complete';
    throw new InputError(`${path} ${name}`, due, describeFound(value));
  }
}

/**
 * The run that a value is.
 * @param path     of its file, for messages
 * @param registry in which its system is found
 * @throws InputError or InputErrors for what is not as it must be
 */
export function checkedRun(value: unknown, path: string, registry: Registry): RunManifest {
  checkDepth(value);
  const { seal: _seal, ...meant } = checkWith(runSchema, { value, spot: undefined, problems: [], place: () => path });
  const { seal: _text, ...found } = value as typeof meant & { seal: string };
  checkWhole(found, meant, path);
  const run = found as unknown as RunManifest;
  openWhole(run.scenario, `${path} scenario`, registry);
  checkComplete(run, path);
  checkRun(run, path);
  checkParts(run, path);
  return run;
}
