/** Which program a worker is. Jobs are only for those whose results have the same bytes. */
import { createHash } from 'node:crypto';
import { gameUrl } from '#platform/modules';
import { RULESET } from '../../answers/index.ts';
import { version } from '../../core/index.ts';
import { kernelHash } from '../../engines/index.ts';
import { GAME_IDS, isGameOf, moduleHash, type Registry, SHIPPED } from '../../rules/index.ts';
import { Column } from '../store/columns.ts';
import { encodeTable } from '../store/parquet.ts';

export interface Build {
  readonly ruleset: string;
  /** Of all kernels together. */
  readonly kernels: string;
  /** Of a table that the Parquet writer has written. */
  readonly writer: string;
  /** The major version, on which the last digits of logarithms and powers may depend. */
  readonly node: string;
  readonly arch: string;
  /** A system of one's own: its name and the hash of its module; `games` and a hash of them all; `shipped` otherwise. */
  readonly system: string;
}

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

function kernelsHash(): string {
  const names = [...SHIPPED.names, 'automaton', 'rounds', 'sampled'];
  return sha256(names.map((name) => `${name} ${kernelHash(name)}\n`).join(''));
}

/** One column of each type, with what writers treat differently: nothing, runs, negative numbers, long texts. */
const PROBE: readonly Column[] = [
  Column.of({ name: 'cell', type: 'int32' }, [0, 0, 7, 2 ** 31 - 1]),
  Column.of({ name: 'count', type: 'int64' }, [1n, null, 2n ** 53n, -1n]),
  Column.of({ name: 'seed', type: 'uint64' }, [0n, 1n, 2n ** 62n, null]),
  Column.of({ name: 'low', type: 'double' }, [0.1, null, -1e300, 5e-324]),
  Column.of({ name: 'name', type: 'text' }, ['attacker', 'attacker', 'é'.repeat(300), null]),
  Column.of({ name: 'reached', type: 'boolean' }, [true, false, null, true]),
];

let shared: Omit<Build, 'system'> | undefined;

function common(): Omit<Build, 'system'> {
  shared ??= {
    ruleset: RULESET,
    kernels: kernelsHash(),
    writer: sha256(encodeTable(PROBE, { warpool: version() })),
    node: process.versions.node.split('.')[0] ?? '',
    arch: process.arch,
  };
  return shared;
}

/** All games of the package: one build, for each is a queue that workers listen at. */
async function gamesBuild(): Promise<Build> {
  const hashes = await Promise.all(GAME_IDS.map((id) => moduleHash(gameUrl(id), id)));
  return { ...common(), system: `games ${sha256(hashes.join(' '))}` };
}

/** The build that plays the scenarios of a system. */
export async function buildFor(system: string, registry: Registry): Promise<Build> {
  if (isGameOf(registry, system)) return await gamesBuild();
  const module = registry.moduleOf(system);
  return { ...common(), system: module === undefined ? 'shipped' : `${system} ${module.hash}` };
}

/** All builds that a registry makes: one for the shipped systems, one for the games, one for each that was loaded. */
export async function buildsOf(registry: Registry): Promise<Build[]> {
  const own = registry.names.filter((name) => registry.moduleOf(name) !== undefined && !isGameOf(registry, name));
  const builds = own.map((name) => buildFor(name, registry));
  return [{ ...common(), system: 'shipped' }, await gamesBuild(), ...(await Promise.all(builds))];
}

export function buildId(build: Build): string {
  return sha256(JSON.stringify(Object.entries(build).sort())).slice(0, 16);
}

const NAMES: Readonly<Record<keyof Build, string>> = {
  ruleset: 'ruleset',
  kernels: 'kernels',
  writer: 'Parquet writer',
  node: 'major version of Node',
  arch: 'architecture',
  system: 'system',
};

/** In what a build differs from the one that is needed, for people. */
export function unlike(needed: Build, found: Build): string[] {
  const short = (text: string): string => text.replace(/[0-9a-f]{64}/g, (hash) => hash.slice(0, 8));
  return (Object.keys(NAMES) as (keyof Build)[])
    .filter((key) => needed[key] !== found[key])
    .map((key) => `${NAMES[key]}: ${short(found[key])}, here ${short(needed[key])}`);
}
