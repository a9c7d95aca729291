/** Build of a worker. Jobs go only to workers whose results have the same bytes. */
import { createHash } from 'node:crypto';
import { getGameUrl } from '#platform/modules';
import { version } from '../../core/index.ts';
import { computeKernelHash } from '../../engines/index.ts';
import { GAME_IDS, hashModule, isPackageGame, SHIPPED_REGISTRY, type SystemRegistry } from '../../rules/index.ts';
import { RULESET } from '../../stats/index.ts';
import { encodeTable } from '../store/parquet/parquet.ts';
import { TableColumn } from '../store/parquet/table-column.ts';

export interface WorkerBuild {
  readonly ruleset: string;
  /** Hash of all kernels. */
  readonly kernels: string;
  /** Hash of a table from the Parquet writer. */
  readonly writer: string;
  /** Major version of Node.js, on which the last digits of logarithms and powers may depend. */
  readonly node: string;
  readonly arch: string;
  /** Custom system: its name and the hash of its module; `games` and a hash of all of them; otherwise `shipped`. */
  readonly system: string;
}

const hashSha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

function hashKernels(): string {
  const names = [...SHIPPED_REGISTRY.names, 'automaton', 'rounds', 'sampled'];
  return hashSha256(names.map((name) => `${name} ${computeKernelHash(name)}\n`).join(''));
}

/**
 * One column per type, with the cases that writers treat differently: no values, runs, negative numbers, long texts.
 */
const PROBE: readonly TableColumn[] = [
  TableColumn.of({ name: 'cell', type: 'int32' }, [0, 0, 7, 2 ** 31 - 1]),
  TableColumn.of({ name: 'count', type: 'int64' }, [1n, null, 2n ** 53n, -1n]),
  TableColumn.of({ name: 'seed', type: 'uint64' }, [0n, 1n, 2n ** 62n, null]),
  TableColumn.of({ name: 'low', type: 'double' }, [0.1, null, -1e300, 5e-324]),
  TableColumn.of({ name: 'name', type: 'text' }, ['attacker', 'attacker', 'é'.repeat(300), null]),
  TableColumn.of({ name: 'reached', type: 'boolean' }, [true, false, null, true]),
];

let commonBuild: Omit<WorkerBuild, 'system'> | undefined;

function readCommonBuild(): Omit<WorkerBuild, 'system'> {
  commonBuild ??= {
    ruleset: RULESET,
    kernels: hashKernels(),
    writer: hashSha256(encodeTable(PROBE, { warpool: version() })),
    node: process.versions.node.split('.')[0] ?? '',
    arch: process.arch,
  };
  return commonBuild;
}

/** All games of the package form one build, because each build has a queue on which workers listen. */
async function createGamesBuild(): Promise<WorkerBuild> {
  const hashes = await Promise.all(GAME_IDS.map((id) => hashModule(getGameUrl(id), id)));
  return { ...readCommonBuild(), system: `games ${hashSha256(hashes.join(' '))}` };
}

/** Creates the build for the scenarios of a system. */
export async function createBuild(system: string, registry: SystemRegistry): Promise<WorkerBuild> {
  if (isPackageGame(registry, system)) return await createGamesBuild();
  const module = registry.moduleOf(system);
  return { ...readCommonBuild(), system: module === undefined ? 'shipped' : `${system} ${module.hash}` };
}

/** Creates all builds of a registry: one for the shipped systems, one for the games, and one for each loaded system. */
export async function createBuilds(registry: SystemRegistry): Promise<WorkerBuild[]> {
  const own = registry.names.filter((name) => registry.moduleOf(name) !== undefined && !isPackageGame(registry, name));
  const builds = own.map((name) => createBuild(name, registry));
  return [{ ...readCommonBuild(), system: 'shipped' }, await createGamesBuild(), ...(await Promise.all(builds))];
}

export function computeBuildId(build: WorkerBuild): string {
  return hashSha256(JSON.stringify(Object.entries(build).sort())).slice(0, 16);
}

const FIELD_NAMES: Readonly<Record<keyof WorkerBuild, string>> = {
  ruleset: 'ruleset',
  kernels: 'kernels',
  writer: 'Parquet writer',
  node: 'Node.js major version',
  arch: 'architecture',
  system: 'system',
};

/** Lists the differences between two builds, for messages. */
export function listBuildDifferences(needed: WorkerBuild, actual: WorkerBuild): string[] {
  const shortenHash = (text: string): string => text.replace(/[0-9a-f]{64}/g, (hash) => hash.slice(0, 8));
  return (Object.keys(FIELD_NAMES) as (keyof WorkerBuild)[])
    .filter((key) => needed[key] !== actual[key])
    .map((key) => `${FIELD_NAMES[key]}: ${shortenHash(actual[key])}, here ${shortenHash(needed[key])}`);
}
