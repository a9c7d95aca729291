/** Requests and responses of the program that other languages start. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadScenario, simulate, solve } from '../../src/index.ts';
import { RpcServer } from '../../src/rpc/server.ts';
import { DEPTH } from '../depth.ts';

const folder = mkdtempSync(join(tmpdir(), 'warpool-rpc-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Response {
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly output?: string;
  readonly error?: { readonly name: string; readonly message: string; readonly code: string };
  readonly progress?: { readonly done: number };
  readonly file?: string;
}

function createClient() {
  const responses: Response[] = [];
  const server = new RpcServer((line) => responses.push(JSON.parse(line) as Response), folder);
  let id = 0;
  return {
    responses,
    server,
    send: async (request: object): Promise<Response> => {
      const number = ++id;
      await server.receive(JSON.stringify({ id: number, ...request }));
      return responses.findLast((each) => each.id === number) as Response;
    },
  };
}

const direct = { subjects: ['attrition-direct'] };

test('returns the answers of the library for a name, a path and fields', async () => {
  const { send } = createClient();
  const scenario = await loadScenario('scenarios/attrition-direct.yaml');
  const { summary } = await solve(scenario);
  const { digest } = await simulate(scenario, { battles: 1000, seed: 7 });
  for (const source of [
    'attrition-direct',
    'scenarios/attrition-direct.yaml',
    scenario,
    { label: 'x', fields: scenario },
  ]) {
    const exact = await send({ call: 'exact', subjects: [source] });
    const outcomes = exact.result?.['outcomes'] as Readonly<Record<string, { readonly p: number }>>;
    expect(Object.values(outcomes).map(({ p }) => p)).toEqual(summary.outcomes.map(({ p }) => p));
    const run = await send({ call: 'run', subjects: [source], options: { battles: 1000, seed: '7' } });
    expect([run.output, run.result?.['digest']]).toEqual(['result', digest]);
  }
});

test('reads a changed file again', async () => {
  const { send } = createClient();
  const file = join(folder, 'duel.yaml');
  const text = readFileSync('scenarios/attrition-direct.yaml', 'utf8');
  const hashes: unknown[] = [];
  for (const hp of [30, 301]) {
    writeFileSync(file, text.replace(/hp: \d+/, `hp: ${String(hp)}`));
    hashes.push((await send({ call: 'load_scenario', subjects: [file] })).result?.['hash']);
  }
  expect(new Set(hashes).size).toBe(2);
});

test('load_scenario changes fields and rejects unknown ones', async () => {
  const { send } = createClient();
  const { result } = await send({ call: 'load_scenario', subjects: ['attrition-direct', { 'attacker.hp': 31 }] });
  expect(result).toMatchObject({ name: 'attrition-direct', scenario: { attacker: { hp: 31 } } });
  const { error } = await send({ call: 'load_scenario', subjects: ['attrition-direct', { 'attacker.hq': 31 }] });
  expect(error).toMatchObject({ name: 'InputError', code: 'unknown-name' });
});

test('returns errors with their fields, and answers the next request', async () => {
  const { send } = createClient();
  expect((await send({ call: 'exct', ...direct })).error?.message).toMatch(/^call: expected one of exact, /);
  expect((await send({ call: 'exact', subjects: ['none'] })).error).toMatchObject({
    ...{ name: 'InputError', place: 'scenario', found: '"none"', code: 'unknown-name' },
  });
  expect((await send({ call: 'exact', ...direct, options: { budget: 1 } })).error?.name).toBe('BudgetError');
  expect((await send({ call: 'exact', ...direct, systems: ['none.mjs'] })).error?.name).toBe('InputError');
  expect((await send({ call: 'exact', ...direct })).output).toBe('exact');
});

test('writes large results to a file', async () => {
  const { send } = createClient();
  const { file = '' } = await send({
    call: 'find',
    ...direct,
    options: { where: 'rounds>0', battles: 20_000, limit: 20_000 },
  });
  expect(file.startsWith(folder)).toBe(true);
  const response = JSON.parse(readFileSync(file, 'utf8')) as Response;
  expect(response.result?.['matches']).toHaveLength(20_000);
  rmSync(file);
});

test('reports requested progress, and aborts', async () => {
  const { server, responses } = createClient();
  const run = { id: 1, call: 'run', ...direct, options: { battles: 1e12 }, progress: true };
  const running = server.receive(JSON.stringify(run));
  await expect.poll(() => responses.some(({ progress }) => (progress?.done ?? 0) > 0), { timeout: 20_000 }).toBe(true);
  await server.receive(JSON.stringify({ abort: 1 }));
  await running;
  expect(responses.at(-1)?.error).toMatchObject({ name: 'AbortError', code: 'aborted' });
  await server.receive(JSON.stringify({ abort: 1 }));
});

test.runIf(DEPTH > 1)('renders the report of a stored result, and computes a missing result', async () => {
  const { send } = createClient();
  const text = { command: 'warpool.run("attrition-direct")', subjects: ['"attrition-direct"'] };
  const request = { call: 'run', ...direct, options: { battles: 1000 } };
  await send(request);
  const { result: page } = await send({ ...request, html: { of: 1, text } });
  const { result: again } = await send({ ...request, html: { of: 99, text } });
  for (const each of [page, again]) {
    expect(each).toContain('warpool.run(&quot;attrition-direct&quot;)');
    expect(each).toContain('<svg');
  }
});

test('run with out writes a store, also for a shard', async () => {
  const { send } = createClient();
  const out = join(folder, 'run');
  const options = { battles: 1000, seed: 1, out };
  const { digest } = await simulate(await loadScenario('scenarios/attrition-direct.yaml'), { battles: 1000, seed: 1 });
  expect((await send({ call: 'run', ...direct, options })).result).toMatchObject({ digest, store: { folder: out } });
  const shard = await send({
    call: 'run',
    ...direct,
    options: { ...options, out: `${out}-2`, shard: { index: 1, of: 1 } },
  });
  expect(shard.output).toBe('run-shard');
  expect(existsSync(join(`${out}-2`, 'manifest.json'))).toBe(true);
});
