/**
 * Readings of a search in a folder: `problem.json` has the request, and `readings.jsonl` one line for each evaluated cell.
 * A process that is killed loses at most the current cell.
 */

import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BalanceProblem, CellTerms, ReadingCache } from '../../analysis/index.ts';
import { InputError, RunError } from '../../core/index.ts';
import { createWriteError, writeDurably } from '../../core/node.ts';
import { hashScenario, identifyRules, RULESET } from '../../stats/index.ts';
import { createReadError } from '../folder/files.ts';

const FILES = { request: 'problem.json', readings: 'readings.jsonl' };

/** Names of the files of a search. */
export const READING_FILES: readonly string[] = Object.values(FILES);

/** Options that change readings. */
export type ReadingOptions = Readonly<Record<string, unknown>>;

const line = z.strictObject({
  cell: z.string(),
  reading: z
    .strictObject({
      values: z.array(z.number()),
      low: z.array(z.number()),
      high: z.array(z.number()),
      battles: z.int().min(0),
    })
    .nullable(),
});

/** Computes the hash of a request, in hexadecimal. */
function hashRequest({ scenarios, fields, targets }: BalanceProblem, options: ReadingOptions): string {
  const request = {
    ruleset: RULESET,
    scenarios: scenarios.map(({ name, scenario }) => [name, hashScenario(scenario), identifyRules(scenario)]),
    fields,
    targets: targets.map(({ text, tolerance }) => [text, tolerance]),
    options,
  };
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw createReadError(path, error);
  }
}

/** Parses a line; undefined if it is damaged. */
function parseLine(text: string): z.output<typeof line> | undefined {
  try {
    return line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Reads the complete lines of a file, and removes a last line that was not written completely. */
async function readReadings(path: string): Promise<Map<string, CellTerms>> {
  const text = (await readIfExists(path)) ?? '';
  const end = text.lastIndexOf('\n') + 1;
  if (end < text.length) await truncate(path, Buffer.byteLength(text.slice(0, end)));
  const readings = new Map<string, CellTerms>();
  for (const [l, each] of text.slice(0, end).split('\n').slice(0, -1).entries()) {
    const found = parseLine(each);
    if (found === undefined) throw new RunError(`${path}:${String(l + 1)} is damaged: remove the line, or the folder`);
    readings.set(found.cell, found.reading);
  }
  return readings;
}

/**
 * Opens the readings of a search.
 * @param isResumed true to continue; the folder must then have the same request
 * @throws InputError if the folder has another request, or an unfinished search that is not continued
 * @throws RunError if a file is damaged, or cannot be read or written
 */
export async function openReadings(
  folder: string,
  problem: BalanceProblem,
  options: ReadingOptions,
  isResumed: boolean,
): Promise<ReadingCache> {
  const [request, path] = [join(folder, FILES.request), join(folder, FILES.readings)];
  const content = `${JSON.stringify({ request: hashRequest(problem, options) })}\n`;
  const known = await readIfExists(request);
  if (known === undefined && isResumed)
    throw new InputError(
      folder,
      'a search to resume',
      `no ${FILES.request} in it; without option resume, a new search starts there`,
    );
  if (known !== undefined && known !== content)
    throw new InputError(folder, 'a search of the same problem with the same options', 'another one');
  if (known !== undefined && !isResumed)
    throw new InputError(folder, 'a new or an empty folder', 'a search; option resume continues it');
  if (known === undefined) await writeDurably(request, content);
  const readings = await readReadings(path);
  return {
    get: (cell) => readings.get(cell),
    set(cell, reading) {
      readings.set(cell, reading);
      try {
        appendFileSync(path, `${JSON.stringify({ cell, reading })}\n`);
      } catch (error) {
        throw createWriteError(path, error);
      }
    },
  };
}
