/** Reads a sweep file. */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { check, checkWith } from '../scenario/check.ts';
import type { Source } from '../scenario/document.ts';
import { loadScenario, loadSource } from '../scenario/index.ts';
import type { JsonSchema } from '../scenario/json-schema.ts';
import type { Scenario } from '../systems/system.ts';
import { type SweepFile, schema } from './file.ts';
import { openSweep, type Sweep } from './sweep.ts';

/** The scenario of a sweep file: another file, named from the folder of this one, or a part of it. */
async function scenarioOf({ scenario }: SweepFile, source: Source, path: string): Promise<Scenario> {
  if (typeof scenario !== 'string') {
    const { spot, place } = source;
    return check({ value: scenario, spot: spot?.inside.get('scenario'), problems: [], place });
  }
  return await loadScenario(resolve(path === '-' ? '.' : dirname(path), scenario));
}

/**
 * @param path of a file in YAML or JSON (UTF-8, at most 1 MiB); `-` reads the standard input
 * @throws InputError or InputErrors on whatever is wrong with it or its scenario
 */
export async function loadSweep(path: string): Promise<Sweep> {
  const source = await loadSource(path, 'a sweep');
  const file = checkWith(schema, source);
  const scenario = await scenarioOf(file, source, path);
  return openSweep({ ...file, scenario }, path === '-' ? 'stdin' : path);
}

/** The JSON Schema (draft 2020-12) of sweep files. */
export function sweepJsonSchema(): JsonSchema {
  const { $schema, '~standard': _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  const about = { title: 'Sweep of warpool', description: 'A scenario over a space of parameters.' };
  return { $schema, $id: 'urn:warpool:sweep', ...about, ...rest } as JsonSchema;
}
