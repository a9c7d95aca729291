/** Sweeps into folders of their own. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mode } from '../../src/store/begin.ts';
import { openStore } from '../../src/store/open.ts';
import type { Row } from '../../src/store/rows.ts';
import { type SweepResult, sweepInto } from '../../src/store/sweep.ts';
import { loadSweep } from '../../src/sweep/read.ts';
import { openSweep } from '../../src/sweep/sweep.ts';

const base = mkdtempSync(join(tmpdir(), 'warpool-store-'));
writeFileSync(
  join(base, 'duel.yaml'),
  'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 9 }\ndefender: { attack: 1, defense: 1, hp: 8 }\n',
);

let names = 0;

/** A place for a folder that is not there yet. */
export const place = (): string => join(base, `store-${String(names++)}`);

/** A sweep file over a small duel. */
export function sweepFile(text: string): string {
  const path = join(base, `sweep-${String(names++)}.yaml`);
  writeFileSync(path, `scenario: duel.yaml\n${text}\n`);
  return path;
}

export interface Asked {
  readonly mode?: Mode;
  readonly battles?: number;
  readonly workers?: number;
  readonly signal?: AbortSignal;
}

/** Runs a sweep as the command does. */
export async function run(text: string, folder: string, { battles, ...options }: Asked = {}): Promise<SweepResult> {
  const file = sweepFile(text);
  const sweep = await loadSweep(file);
  const asked = battles === undefined ? sweep : openSweep({ ...sweep.spec, battles }, file);
  return await sweepInto(folder, asked, options);
}

export function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => statSync(join(folder, name)).isFile());
}

/** SHA-256 by file. */
export function bytesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesOf(folder).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

export async function rowsOf(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of (await openStore(folder)).rows()) rows.push(row);
  return rows;
}
