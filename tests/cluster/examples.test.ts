/** Tests of the files of examples/cluster: commands of warpool and fields of schedulers that they use exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { createProgram } from '../../src/cli/program.ts';
import { parseShard } from '../../src/cli/shard.ts';
import { loadSweep } from '../../src/storage/sweep/load-sweep.ts';
import { file } from '../cli/warpool.ts';

const FOLDER = 'examples/cluster';
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** Parses a command line without running it. @throws CommanderError if a command or an option does not exist */
async function parse(words: readonly string[]): Promise<void> {
  const warpool = (await createProgram()).configureOutput({ writeErr: () => undefined });
  for (const command of warpool.commands)
    command.configureOutput({ writeErr: () => undefined }).action(() => undefined);
  await warpool.parseAsync(['node', 'warpool', ...words]);
}

/** Returns the commands of warpool in a script and its comments, with 1 in the place of variables. */
function commandsIn(script: string): string[][] {
  const plain = script.replaceAll(/\\\n/g, ' ').replaceAll(/\$\{WARPOOL:-warpool\}|\$warpool/g, 'warpool');
  const words = plain.replaceAll(/["']| \|\| true/g, '').replaceAll(/\$\{[^}]*\}|\$\w+/g, '1');
  return [...words.matchAll(/warpool ((?:sweep|merge) .*)$/gm)].map(([, line = '']) => line.trim().split(/\s+/));
}

describe.each([
  ['slurm-array.sh', 3],
  ['gnu-parallel.sh', 3],
  ['Dockerfile', 1],
])('%s', (name, count) => {
  test('uses commands and options that exist', async () => {
    const commands = commandsIn(read(name));
    expect(commands).toHaveLength(count);
    for (const words of commands) await parse(words);
    await expect(parse(['sweep', 'x', '--shards-of', '1'])).rejects.toThrow('unknown option');
  });
});

test('the scripts stop at the first error and require their arguments', () => {
  for (const name of ['slurm-array.sh', 'gnu-parallel.sh']) {
    expect(read(name).startsWith('#!/bin/sh\n')).toBe(true);
    for (const part of ['\nset -eu\n', '{1:?', '{2:?']) expect(read(name)).toContain(part);
  }
});

test('the Dockerfile installs a package on a versioned base image and does not run as root', () => {
  const lines = read('Dockerfile').replaceAll(/\\\n/g, ' ').split('\n');
  const steps = lines.filter((line) => /^[A-Z]+ /.test(line)).map((line) => line.split(' ')[0]);
  expect(steps).toEqual(['FROM', 'ARG', 'COPY', 'RUN', 'USER', 'WORKDIR', 'ENTRYPOINT', 'CMD']);
  expect(read('Dockerfile')).toMatch(/^FROM node:\d+-[a-z-]+$/m);
  expect(read('Dockerfile')).toContain('\nUSER node\n');
  for (const [, list = ''] of read('Dockerfile').matchAll(/^(?:ENTRYPOINT|CMD) (.*)$/gm))
    expect(JSON.parse(list)).toHaveLength(1);
  expect(lines.every((line) => line === '' || /^(#|[A-Z]+ )/.test(line))).toBe(true);
});

// Fields of the Kubernetes APIs batch/v1 and core/v1 that the file uses. All other fields are rejected.
const quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const amounts = z.strictObject({ cpu: quantity.optional(), memory: quantity.optional() });
const name = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const metadata = z.strictObject({ name });
const pod = z.strictObject({
  spec: z.strictObject({
    restartPolicy: z.enum(['Never', 'OnFailure']),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.int().min(1),
      fsGroup: z.int().min(1),
    }),
    containers: z.array(
      z.strictObject({
        name,
        image: z.string().regex(/^[a-z.]+\/warpool:\d+\.\d+\.\d+$/),
        args: z.array(z.string()),
        resources: z.strictObject({ requests: amounts, limits: amounts }),
        volumeMounts: z.array(
          z.strictObject({ name, mountPath: z.string().startsWith('/'), readOnly: z.boolean().optional() }),
        ),
      }),
    ),
    volumes: z.array(
      z.union([
        z.strictObject({ name, configMap: z.strictObject({ name }) }),
        z.strictObject({ name, persistentVolumeClaim: z.strictObject({ claimName: name }) }),
      ]),
    ),
  }),
});
const action = z.enum(['FailJob', 'FailIndex', 'Ignore', 'Count']);
const rule = z.union([
  z.strictObject({
    action,
    onExitCodes: z.strictObject({
      containerName: name,
      operator: z.enum(['In', 'NotIn']),
      values: z.array(z.int().min(1).max(255)).min(1),
    }),
  }),
  z.strictObject({
    action,
    onPodConditions: z.array(z.strictObject({ type: z.string(), status: z.enum(['True', 'False', 'Unknown']) })),
  }),
]);
const jobSpec = z.strictObject({
  completionMode: z.literal('Indexed').optional(),
  completions: z.int().min(1).optional(),
  parallelism: z.int().min(1).optional(),
  backoffLimit: z.int().min(0).optional(),
  backoffLimitPerIndex: z.int().min(0).optional(),
  maxFailedIndexes: z.int().min(0).optional(),
  podFailurePolicy: z.strictObject({ rules: z.array(rule).max(20) }).optional(),
  template: pod,
});
const job = z.strictObject({ apiVersion: z.literal('batch/v1'), kind: z.literal('Job'), metadata, spec: jobSpec });
const claim = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('PersistentVolumeClaim'),
  metadata,
  spec: z.strictObject({
    accessModes: z.tuple([z.literal('ReadWriteMany')]),
    resources: z.strictObject({ requests: z.strictObject({ storage: quantity }) }),
  }),
});
const map = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata,
  data: z.strictObject({ 'plan.yaml': z.string() }),
});

describe('kubernetes-indexed-job.yaml', () => {
  const documents = parseAllDocuments(read('kubernetes-indexed-job.yaml')).map((each) => each.toJS() as unknown);
  const plan = map.parse(documents[0]);
  const store = claim.parse(documents[1]);
  const [sweep, merge] = [job.parse(documents[2]), job.parse(documents[3])];

  test('contains four objects without unknown fields', () => {
    expect(documents).toHaveLength(4);
    expect(job.safeParse({ ...merge, spec: { ...merge.spec, backofLimit: 1 } }).success).toBe(false);
  });

  test('refers only to volumes, config maps and claims that it defines', () => {
    for (const { spec } of [sweep, merge]) {
      const { containers, volumes } = spec.template.spec;
      const known = volumes.map((volume) => volume.name);
      expect(containers.flatMap(({ volumeMounts }) => volumeMounts.map((mount) => mount.name)).sort()).toEqual(
        known.sort(),
      );
      for (const volume of volumes) {
        const named = 'configMap' in volume ? volume.configMap.name : volume.persistentVolumeClaim.claimName;
        expect([plan.metadata.name, store.metadata.name]).toContain(named);
      }
    }
  });

  test('runs one shard per pod, with commands that exist', async () => {
    const [container] = sweep.spec.template.spec.containers;
    const args = container?.args ?? [];
    await parse(args);
    const shard = args[args.indexOf('--shard') + 1] ?? '';
    const last = String((sweep.spec.completions ?? 0) - 1);
    expect(parseShard(shard, { JOB_COMPLETION_INDEX: last })).toEqual({ index: 8, of: sweep.spec.completions });
    expect(sweep.spec).toMatchObject({ completionMode: 'Indexed', backoffLimitPerIndex: 3 });
    expect(sweep.spec.template.spec.restartPolicy).toBe('Never');
    const merging = merge.spec.template.spec.containers[0]?.args ?? [];
    await parse(merging);
    expect(merging.slice(0, 4)).toEqual(['merge', args[args.indexOf('--out') + 1], '--shards', '8']);
  });

  test('fails the Job at once on invalid input, and ignores a drained node', () => {
    const rules = sweep.spec.podFailurePolicy?.rules ?? [];
    expect(rules.map((each) => each.action)).toEqual(['FailJob', 'Ignore']);
    expect(rules[0]).toMatchObject({ onExitCodes: { containerName: 'warpool', values: [2] } });
  });

  test('contains a valid sweep file', async () => {
    expect((await loadSweep(file('plan.yaml', plan.data['plan.yaml']))).points).toBe(1600);
  });
});
