/** Plans: the texts that jobs name by their SHA-256. One of a sweep is the manifest of its store. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { RunError } from '../../core/errors.ts';
import { makeFolders } from '../../core/files/output.ts';
import type { Registry } from '../../rules/registry.ts';
import { check } from '../../rules/scenario/check.ts';
import type { Scenario } from '../../rules/system.ts';
import { FOLDERS, MANIFEST } from '../store/files.ts';
import { type Manifest, manifestText } from '../store/manifest.ts';
import { type ReadStore, readStore } from '../store/reading.ts';
import { PREFIX } from './link.ts';
import { sha256Of } from './names.ts';

/** Seconds that a plan stays when nobody asks for it any more. */
const KEPT = 86_400;

/** The most bytes: sweeps and scenarios are at most 1 MiB as files. */
const LONGEST = 2 ** 24;

const keyOf = (hash: string): string => `${PREFIX}:plan:${hash}`;

export const hashOf = (text: string): string => sha256Of(text);

export const sweepPlan = (manifest: Manifest): string => manifestText(manifest);

export const scenarioPlan = (scenario: Scenario): string => JSON.stringify({ scenario });

/** Puts a plan on the server, or keeps it there. */
export async function putPlan(redis: Redis, text: string): Promise<void> {
  await redis.set(keyOf(hashOf(text)), text, 'EX', KEPT);
}

/** @throws RunError if it is not there, or another */
async function textOf(redis: Redis, hash: string): Promise<string> {
  // One byte more than there may be is enough to see that it is too long.
  const bytes = await redis.getrangeBuffer(keyOf(hash), 0, LONGEST);
  if (bytes.length === 0) throw new RunError(`the plan ${hash.slice(0, 8)} is not on the server`);
  if (bytes.length > LONGEST || sha256Of(bytes) !== hash)
    throw new RunError(`what is on the server is not the plan ${hash.slice(0, 8)}`);
  return bytes.toString('utf8');
}

/** A store without a part, to play a segment in. */
async function scratchStore(folder: string, text: string, registry: Registry): Promise<ReadStore> {
  for (const name of FOLDERS) await makeFolders(join(folder, name));
  await writeFile(join(folder, MANIFEST), text);
  return await readStore(folder, registry);
}

/** The plans that a worker has seen, each opened once. */
export class Plans {
  readonly #redis: Redis;
  readonly #registry: Registry;
  readonly #scratch: string;
  readonly #stores = new Map<string, Promise<ReadStore>>();
  readonly #scenarios = new Map<string, Promise<Scenario>>();

  /** @param scratch an empty folder */
  constructor(redis: Redis, registry: Registry, scratch: string) {
    this.#redis = redis;
    this.#registry = registry;
    this.#scratch = scratch;
  }

  /** @throws InputError or RunError if it is no sweep that can be played here */
  store(hash: string): Promise<ReadStore> {
    return once(this.#stores, hash, async () =>
      scratchStore(join(this.#scratch, hash), await textOf(this.#redis, hash), this.#registry),
    );
  }

  /** @throws InputError or RunError if it is no scenario that can be played here */
  scenario(hash: string): Promise<Scenario> {
    return once(this.#scenarios, hash, async () => {
      const { scenario: value } = JSON.parse(await textOf(this.#redis, hash)) as { scenario: unknown };
      const place = (): string => `plan ${hash.slice(0, 8)}`;
      return check({ value, spot: undefined, problems: [], place, registry: this.#registry });
    });
  }
}

/** Values that are remembered; sweeps of long cells have a plan for each. */
const REMEMBERED = 64;

/** What was made under a name before, or is made now; what fails is made anew the next time. */
export function once<T>(known: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const found = known.get(name);
  if (found !== undefined) return found;
  const made = make();
  known.set(name, made);
  made.catch(() => known.delete(name));
  const [oldest] = known.keys();
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest);
  return made;
}
