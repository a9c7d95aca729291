/** `warpool serve-environments`: the real program, over its standard streams and at a socket. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ERROR, encodeFrame, REQUESTS } from '../../src/environments/protocol/frames.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH, some } from '../depth.ts';
import { Client, joined, said } from '../environments/protocol-client.ts';
import { called } from './called.ts';
import { DUEL, file, ROOT, warpool } from './warpool.ts';

const MAIN = join(ROOT, 'bin/warpool.js');

function start(...args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [MAIN, 'serve-environments', DUEL, ...args], { cwd: ROOT });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The exit code of a program. */
async function codeOf(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

let sockets = 0;

/** A server at a socket of its own, once it listens. */
async function listening(
  ...args: readonly string[]
): Promise<{ server: ChildProcessWithoutNullStreams; path: string }> {
  const path = file(`${String(++sockets)}.sock`, '');
  execFileSync('rm', [path]);
  const server = start('--socket', path, ...args);
  const [line] = (await once(server.stderr, 'data')) as [Buffer];
  expect(String(line)).toBe(`warpool: listening at ${path}; Ctrl-C ends\n`);
  return { server, path };
}

async function connected(path: string): Promise<{ client: Client; socket: Socket }> {
  const socket = connect(path);
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return { client: new Client(socket, socket), socket };
}

const duel = await loadScenario(DUEL);

/** What an observer of `obs` sees after some steps. */
async function expectSteps(client: Client, steps: number, envs: number, seed: number): Promise<void> {
  const env = await VectorEnv.create(duel, { numEnvs: envs, seed });
  await client.hello({ fields: ['obs', 'reward'], envs });
  for (let step = 0; step < steps; step++) {
    env.step(new Int32Array(envs));
    const { obs, reward } = await client.see('step', new Uint8Array(4 * envs));
    expect(obs).toEqual([...env.buffers.obs]);
    expect(reward).toEqual([...env.buffers.reward]);
  }
}

describe('over standard input and output', () => {
  test('plays the battles of VectorEnv, and ends with its input', async () => {
    const server = start('--envs', '8', '--seed', '3');
    const stderr = text(server.stderr);
    const client = new Client(server.stdout, server.stdin);
    await expectSteps(client, 30, 8, 3);
    client.end();
    expect(await client.next()).toBeUndefined();
    expect(await codeOf(server)).toBe(0);
    expect(await stderr).toBe('');
  });

  test.runIf(DEPTH > 1)('ends after CLOSE, whether or not there is more to read', async () => {
    const server = start();
    const client = new Client(server.stdout, server.stdin);
    await client.ask('close');
    expect(await codeOf(server)).toBe(0);
  });

  test.runIf(DEPTH > 1)('answers garbage with one frame of text, and ends', async () => {
    const server = start();
    const client = new Client(server.stdout, server.stdin);
    client.raw(new TextEncoder().encode('hello, is anybody there?\n'));
    const frame = await client.next();
    expect(frame?.type).toBe(ERROR);
    expect(frame && said(frame)).toMatch(/^frame: expected at most 65536 bytes of payload, found \d+$/);
    expect(await codeOf(server)).toBe(0);
  });

  test.runIf(DEPTH > 1)('is quiet when the reader of its output goes away', async () => {
    const server = start();
    const stderr = text(server.stderr);
    server.stdin.on('error', () => undefined);
    server.stdout.destroy();
    server.stdin.write(encodeFrame(REQUESTS.look, 1));
    expect(await codeOf(server)).toBe(0);
    expect(await stderr).toBe('');
  });

  test.each(
    some([
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const),
  )('%s ends it, even if nobody reads its replies', async (signal, code) => {
    const server = start('--envs', '65536');
    const client = new Client(server.stdout, server.stdin);
    await client.hello();
    server.stdout.pause();
    for (let step = 0; step < 4; step++) client.send('look');
    server.kill(signal);
    expect(await codeOf(server)).toBe(code);
  });
});

describe('at a socket', () => {
  test('clients have environments of their own', async () => {
    const { server, path } = await listening('--envs', '32', '--seed', '4');
    const clients = [await connected(path), await connected(path)];
    await Promise.all([
      expectSteps(clients[0]?.client as Client, 40, 32, 4),
      expectSteps(clients[1]?.client as Client, 25, 17, 4),
    ]);
    server.kill('SIGTERM');
    expect(await codeOf(server)).toBe(143);
    expect(existsSync(path)).toBe(false);
  });

  test.runIf(DEPTH > 1)('replies that a client is slow to read are not written over by the next', async () => {
    const { path } = await listening('--envs', '30000');
    const { client } = await connected(path);
    const manifest = await client.hello({ fields: ['obs'], last: [] });
    const env = await VectorEnv.create(duel, { numEnvs: manifest.envs, seed: 1 });
    const seen: (Uint8Array | undefined)[] = [];
    for (let step = 0; step < 6; step++) client.send('step', new Uint8Array(120_000));
    for (let step = 0; step < 6; step++) seen.push((await client.next())?.payload);
    for (const payload of seen) {
      env.step(new Int32Array(30_000));
      const { buffer, byteOffset, byteLength } = env.buffers.obs;
      const expected = new Uint8Array(buffer, byteOffset, byteLength);
      expect(Buffer.compare(payload?.subarray(8, 8 + byteLength) ?? expected.subarray(1), expected)).toBe(0);
    }
  });

  test.runIf(DEPTH > 1)('a client that is killed does not disturb another', async () => {
    const { server, path } = await listening('--envs', '30000');
    const { client } = await connected(path);
    await client.hello({ fields: ['obs'] });
    // It asks for more than a socket holds, reads nothing, and is killed.
    const hello = encodeFrame(REQUESTS.hello, 1, new TextEncoder().encode('{"protocol":1}'));
    const frames = joined(hello, ...Array.from({ length: 20 }, (_, i) => encodeFrame(REQUESTS.look, i)));
    const code = `const s = require('net').connect(process.argv[1]);
      s.write(Buffer.from(process.argv[2], 'hex'), () => console.log('sent')); s.pause();`;
    const other = spawn(process.execPath, ['-e', code, path, Buffer.from(frames).toString('hex')]);
    await once(other.stdout, 'data');
    other.kill('SIGKILL');
    await once(other, 'exit');
    const { socket, client: third } = await connected(path);
    await third.hello();
    third.raw(Uint8Array.of(9, 0, 0, 0, 3, 0));
    socket.destroy();
    await client.see('step', new Uint8Array(120_000));
    await client.see('look');
    expect(server.exitCode).toBeNull();
  });

  test('frames may come byte by byte, and end in the middle', async () => {
    const { path } = await listening();
    const { client, socket } = await connected(path);
    for (const byte of encodeFrame(REQUESTS.hello, 7, new TextEncoder().encode('{"protocol":1}'))) {
      await new Promise((resolve) => socket.write(Uint8Array.of(byte), resolve));
    }
    expect(await client.next()).toMatchObject({ type: REQUESTS.hello | 0x80, id: 7 });
    client.raw(Uint8Array.of(1, 2, 3));
    client.end();
    const frame = await client.next();
    expect(frame && said(frame)).toBe('frame: expected all of its bytes, found the end of the stream');
    expect(await client.next()).toBeUndefined();
  });

  test.runIf(DEPTH > 1)('garbage ends the connection of the client that sent it', async () => {
    const { path } = await listening();
    const [{ client }, { client: stranger }] = [await connected(path), await connected(path)];
    await client.hello();
    stranger.raw(new TextEncoder().encode('GET / HTTP/1.1\r\n\r\n'));
    expect(await stranger.next()).toMatchObject({ type: ERROR });
    expect(await stranger.next()).toBeUndefined();
    await client.see('look');
  });

  test.runIf(DEPTH > 1)('one that a server has left behind is replaced, and only its user may connect', async () => {
    const { server, path } = await listening();
    server.kill('SIGKILL');
    await codeOf(server);
    expect(existsSync(path)).toBe(true);
    const next = start('--socket', path);
    await once(next.stderr, 'data');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { client } = await connected(path);
    await client.hello();
    next.kill('SIGINT');
    expect(await codeOf(next)).toBe(130);
    expect(await client.next()).toBeUndefined();
    expect(existsSync(path)).toBe(false);
  });

  test.runIf(DEPTH > 1)('one at which a server listens is left alone', async () => {
    const { path } = await listening();
    expect(await warpool(['serve-environments', DUEL, '--socket', path])).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: `--socket: expected a path without a running server, found ${path}\n`,
    });
    const { client } = await connected(path);
    await client.hello();
  });
});

describe('refuses', () => {
  const long = `/tmp/${'x'.repeat(103)}`;
  const occupied = file('occupied.sock', 'precious');

  test.each([
    [[DUEL, '--socket', long], 2, '--socket: expected a path of 1..107 bytes, found 108 bytes'],
    [[DUEL, '--socket', occupied], 2, `--socket: expected a path with no file, found ${occupied}`],
    [[DUEL, '--socket', '/nowhere/at/all'], 1, 'warpool: /nowhere/at/all: cannot listen: listen '],
    [['-'], 2, '<scenario...>: expected files, because standard input carries requests, found -'],
    [[DUEL, '--envs', '0'], 2, '--envs: expected an integer 1..2097152, found "0"'],
    [[DUEL, '--agents', 'nobody'], 2, '--agents: expected some of attacker, defender, found "nobody"'],
    [[DUEL, '--seed', '-1'], 2, '--seed: expected an integer 0..18446744073709551615, found "-1"'],
    [[], 2, "error: missing required argument 'scenario'"],
  ] as const)('%j', async (args, code, message) => {
    const found = await called(['serve-environments', ...args]);
    expect(found).toMatchObject({ code, stdout: '' });
    expect(found.stderr.startsWith(message), found.stderr).toBe(true);
    expect(readFileSync(occupied, 'utf8')).toBe('precious');
  });
});

/** Bytes of a hexdump as they are, or `..` for any; `...` for all that follow. */
function expectDump(found: Uint8Array, dump: string): void {
  const words = dump.trim().split(/\s+/);
  const open = words.at(-1) === '...';
  const expected = open ? words.slice(0, -1) : words;
  if (!open) expect(found).toHaveLength(expected.length);
  const bytes = [...found].map((byte) => byte.toString(16).padStart(2, '0'));
  expect(bytes.slice(0, expected.length).map((byte, b) => (expected[b] === '..' ? '..' : byte))).toEqual(expected);
}

test('the exchange that docs/reference/environment-protocol.md shows is what happens', async () => {
  const guide = readFileSync(join(ROOT, 'docs/reference/environment-protocol.md'), 'utf8');
  const [, command = ''] = /^\$ warpool (serve-environments .*)$/m.exec(guide) ?? [];
  const [, dump = ''] = /^```hexdump\n(.*?)^```/ms.exec(guide) ?? [];
  const frames = [...dump.matchAll(/^([<>])[^\n]*\n((?: .*\n)+)/gm)].map(([, way, lines = '']) => ({
    way,
    // The dump proper: what stands before the remark behind two spaces and a bar.
    bytes: lines.replace(/ {2}\|.*$/gm, ''),
  }));
  expect(frames.map(({ way }) => way)).toEqual(['>', '<', '>', '<', '>', '<']);
  const server = spawn(process.execPath, [MAIN, ...command.split(' ')], { cwd: ROOT });
  onTestFinished(() => void server.kill('SIGKILL'));
  const client = new Client(server.stdout, server.stdin);
  for (const { way, bytes } of frames) {
    if (way === '>') client.raw(Uint8Array.from(bytes.trim().split(/\s+/), (byte) => Number.parseInt(byte, 16)));
    else {
      const frame = await client.next();
      expect(frame).toBeDefined();
      if (frame === undefined) continue;
      expectDump(encodeFrame(frame.type, frame.id, frame.payload, frame.flags), bytes);
    }
  }
});

describe('examples/rollout-client.py', () => {
  // Debian's own Python first: what else is called python3 may be without numpy.
  const python = ['/usr/bin/python3', 'python3'].find((each) => spawnSync(each, ['-c', 'import numpy']).status === 0);
  if (python === undefined) {
    process.stderr.write('SKIPPED: the Python client of rollouts, for there is no python3 with numpy here\n');
  }
  const client = join(ROOT, 'examples/rollout-client.py');
  const own = ['--warpool', `${process.execPath} ${MAIN}`];
  const run = (...args: readonly string[]) =>
    execFileSync(python ?? '', [client, ...args], { encoding: 'utf8', cwd: ROOT });

  test.skipIf(python === undefined || DEPTH === 1)('plays as random legal actions do here, by either way', async () => {
    const { path } = await listening('--envs', '512');
    const told = run(DUEL, ...own, '--envs', '256', '--steps', '60', '--seed', '8');
    // Attrition has one legal action, so a random policy is known beforehand.
    const env = await VectorEnv.create(duel, { numEnvs: 256, seed: 8 });
    const returns: number[] = [];
    for (let step = 0; step < 60; step++) {
      env.step(new Int32Array(256));
      for (const e of env.buffers.finished.subarray(0, env.ended)) returns.push(env.buffers.finalReturn[e] ?? 0);
    }
    const mean = returns.reduce((sum, each) => sum + each, 0) / returns.length;
    const line = `attacker: mean return ${mean.toFixed(4)} of ${String(returns.length)} episodes\n`;
    expect(told.startsWith(line), told).toBe(true);
    const shared = run('--socket', path, '--envs', '256', '--steps', '60', '--seed', '8');
    expect(shared.startsWith(line), shared).toBe(true);
  });

  test.skipIf(python === undefined || DEPTH === 1)('plays games, which nobody has to name to the server', () => {
    const raid = join(ROOT, 'examples/games/conquest-dice-raid.yaml');
    const told = run(raid, ...own, '--envs', '64', '--steps', '60', '--seed', '8');
    const [, mean, episodes] = /^attacker: mean return (-?[\d.]+) of (\d+) episodes\n/.exec(told) ?? [];
    expect(Number(episodes)).toBeGreaterThan(200);
    // Nothing is better than the best play, which wins with 0.6645; five standard errors above it.
    expect(Number(mean)).toBeLessThan(0.6645 + 5 * Math.sqrt(0.25 / Number(episodes)));
    expect(Number(mean)).toBeGreaterThan(0);
  });

  test.skipIf(python === undefined || DEPTH === 1)('its other requests do what they say', () => {
    const code = `
import importlib.util, numpy as np
spec = importlib.util.spec_from_file_location('client', ${JSON.stringify(client)})
client = importlib.util.module_from_spec(spec); spec.loader.exec_module(client)
envs = client.Environments.spawn([${JSON.stringify(process.execPath)}, ${JSON.stringify(MAIN)}, 'serve-environments', ${JSON.stringify(DUEL)}, '--envs', '6'])
def copy(sight): return {name: np.copy(each) for name, each in sight.items() if name != 'last'}
def same(a, b): return all(np.array_equal(a[name], b[name]) for name in a)
first = copy(envs.reset(seed=2**64 - 1))
assert first['obs'].shape == (6, 5) and first['mask'].all()
assert envs.suggest('uniform').tolist() == [0] * 6
saved = envs.snapshot()
assert envs.rollout('uniform', 500, 1) > 6
assert envs.look(True)['last']['length'].all()
assert not same(first, envs.look())
envs.restore(saved)
assert same(first, envs.look())
envs.rekey(3)
envs.reset(mask=[1, 0, 0, 0, 0, 0])
try: envs.step([0] * 5)
except ValueError as error: print(error)
envs.close()
`;
    expect(execFileSync(python ?? '', ['-c', code], { encoding: 'utf8' })).toBe('STEP: expected 24 bytes, found 20\n');
  });
});
