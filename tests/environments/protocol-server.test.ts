/** What a client of the rollout protocol gets is what the same environments show here. */
import { describe, expect, test } from 'vitest';
import type { WeightedScenario } from '../../src/environments/env-spec.ts';
import type { VectorEnvOptions } from '../../src/environments/environments.ts';
import { ERROR, encodeFrame, REQUESTS } from '../../src/environments/protocol/frames.ts';
import { ServedEnvironments } from '../../src/environments/protocol/served-environments.ts';
import { serveClient } from '../../src/environments/protocol/server.ts';
import { VectorEnv } from '../../src/environments/vector-env.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { Client, i32, joined, type Seen, said, slow, u32, u64 } from './protocol-client.ts';

const scenarios = [
  { scenario: await loadScenario('scenarios/attrition-direct.yaml') },
  { scenario: await loadScenario('scenarios/attrition-mass.yaml'), weight: 2 },
];

const ALL = {
  fields: ['obs', 'mask', 'reward', 'terminated', 'truncated', 'player', 'phase', 'invalid', 'episode', 'variant'],
  last: ['finalObs', 'finalReturn', 'outcome', 'metrics', 'length', 'finalMask', 'finalPlayer', 'finalPhase'],
} as const;

const options: VectorEnvOptions = { numEnvs: 13, seed: 5, maxSteps: 6 };

/** A client of a server in this process. */
async function connected(given: VectorEnvOptions = options, of: readonly WeightedScenario[] = scenarios) {
  const [there, back] = [slow(), slow()];
  const served = serveClient(there, back, await ServedEnvironments.create(of, given)).finally(() => back.end());
  return Object.assign(new Client(back, there), { served });
}

/** What environments show, as a client sees it that has asked for everything. */
function shownBy(env: VectorEnv, over: readonly number[] = []): Seen {
  const { buffers: fields, numEnvs } = env;
  const rows = (name: (typeof ALL.last)[number]) => {
    const columns = fields[name].length / numEnvs;
    return over.flatMap((e) => [...fields[name].slice(e * columns, (e + 1) * columns)]);
  };
  const last = over.length > 0 ? [['last.env', over], ...ALL.last.map((name) => [`last.${name}`, rows(name)])] : [];
  return Object.fromEntries([...ALL.fields.map((name) => [name, [...fields[name]]]), ...last]) as Seen;
}

const endedBy = (env: VectorEnv) => [...env.buffers.finished.slice(0, env.ended)];

describe.each(['same-step', 'next-step', 'disabled'] as const)('with autoreset %s', (autoreset) => {
  test('a trajectory is that of VectorEnv with the same seed', async () => {
    const client = await connected({ ...options, autoreset });
    const env = await VectorEnv.create(scenarios, { ...options, autoreset, seed: 9 });
    await client.hello(ALL);
    expect(await client.see('reset', u64(9n), 1)).toEqual(shownBy(env));
    let ended = 0;
    for (let step = 0; step < 40; step++) {
      const actions = Int32Array.from({ length: 13 }, (_, e) => ((step + e) % 11 === 0 ? 77 : 0));
      env.step(actions);
      expect(await client.see('step', i32(actions)), `step ${String(step)}`).toEqual(shownBy(env, endedBy(env)));
      ended += env.ended;
    }
    expect(ended).toBeGreaterThan(12);
  });
});

test.each(['phased-dice-ground', 'cube-bag-siege', 'strength-cards-pocket', 'token-conflict-short-stock'])(
  'the last observation of a truncated episode of %s is the next one of its untruncated twin',
  async (name) => {
    const scenario = await loadScenario(`scenarios/${name}.yaml`);
    const client = await connected({ numEnvs: 64, seed: 5, maxSteps: 2, agents: 'all' }, [{ scenario }]);
    const whole = await VectorEnv.create(scenario, { numEnvs: 64, seed: 5, agents: 'all' });
    await client.hello(ALL);
    for (let step = 0; step < 2; step++) {
      whole.sampleActions('uniform');
      const actions = i32(whole.buffers.act);
      whole.step();
      const seen = await client.see('step', actions);
      const features = whole.observationSpace.shape[0];
      let rows = 0;
      for (const [r, e] of (seen['last.env'] ?? []).entries()) {
        if (seen['truncated']?.[e] !== 1) continue;
        const next = [...whole.buffers.obs.subarray(e * features, (e + 1) * features)];
        expect(seen['last.finalObs']?.slice(r * features, (r + 1) * features), `environment ${String(e)}`).toEqual(
          next,
        );
        rows++;
      }
      expect(rows > 10).toBe(step === 1);
    }
  },
);

test('agents are asked at the decision points that are served, and HELLO tells which', async () => {
  const scenario = await loadScenario('scenarios/phased-dice-ground.yaml');
  const client = await connected({ numEnvs: 64, decisions: ['retreat'] }, [{ scenario }]);
  expect(await client.hello({ fields: ['phase'], last: [] })).toMatchObject({
    decisionPoints: ['target', 'losses', 'retreat'],
    decisions: ['retreat'],
  });
  expect(new Set((await client.see('look'))['phase'])).toEqual(new Set([3]));
});

test('requests that are sent ahead are answered in order, each with its own reply', async () => {
  const client = await connected({ ...options, numEnvs: 1500 });
  const env = await VectorEnv.create(scenarios, { ...options, numEnvs: 1500 });
  await client.hello(ALL);
  for (let step = 0; step < 9; step++) client.send('step', new Uint8Array(6000));
  for (let step = 0; step < 8; step++) await client.next();
  for (let step = 0; step < 9; step++) env.step(new Int32Array(1500));
  const ninth = await client.next();
  client.send('look');
  const look = await client.next();
  expect(ninth?.payload?.slice(8, 64)).toEqual(look?.payload?.slice(8, 64));
  expect(await client.see('look')).toEqual(shownBy(env));
});

describe('requests', () => {
  test('HELLO tells names, bounds and where fields lie, and no code', async () => {
    const client = await connected();
    const manifest = await client.hello({ fields: ['mask', 'player'], last: [], envs: 5, firstEnv: 3, seed: '7' });
    expect(manifest).toMatchObject({
      ...{ protocol: 1, system: 'attrition', envs: 5, firstEnv: 3, seed: '7', maxSteps: 6 },
      agents: ['attacker'],
      actions: ['fight'],
      fields: [
        { name: 'mask', kind: 'u8', columns: 1, offset: 8 },
        { name: 'player', kind: 'i32', columns: 1, offset: 16 },
      ],
      last: [{ name: 'env', kind: 'i32', columns: 1 }],
      kernel: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    expect(JSON.stringify(manifest)).not.toContain('base64');
    const env = await VectorEnv.create(scenarios, { ...options, numEnvs: 5, firstEnv: 3, seed: 7 });
    expect(await client.see('look')).toEqual({ mask: [...env.buffers.mask], player: [...env.buffers.player] });
  });

  test('a second HELLO opens environments anew', async () => {
    const client = await connected();
    await client.hello(ALL);
    const begun = await client.see('look');
    await client.ask('step', new Uint8Array(52));
    await client.hello(ALL);
    expect(await client.see('look')).toEqual(begun);
  });

  test('RESET keeps the seed, or begins the next episode where it is told to', async () => {
    const client = await connected();
    const env = await VectorEnv.create(scenarios, options);
    await client.hello(ALL);
    await client.see('step', new Uint8Array(52));
    expect(await client.see('reset')).toEqual(shownBy(env));
    const mask = Uint8Array.from({ length: 13 }, (_, e) => (e % 3 === 0 ? 255 : 0));
    env.reset({ mask });
    expect(await client.see('reset', mask, 2)).toEqual(shownBy(env));
    expect(env.buffers.episode[3]).toBe(1);
  });

  test('SUGGEST, ROLLOUT and REKEY do what VectorEnv does', async () => {
    const client = await connected();
    const env = await VectorEnv.create(scenarios, options);
    await client.hello(ALL);
    env.sampleActions('uniform');
    expect(await client.ask('suggest', u32(1))).toEqual(i32(env.buffers.act));
    const taken = env.rollout('uniform', { steps: 9, episodes: 1 });
    expect(await client.ask('rollout', u32(1, 9, 1))).toEqual(u32(taken, 0));
    expect(await client.see('look', undefined, 1)).toEqual(
      shownBy(
        env,
        Array.from({ length: 13 }, (_, e) => e),
      ),
    );
    env.reseed(99n, 2, 9);
    await client.ask('rekey', joined(u64(99n), u32(2, 9)));
    expect(await client.ask('rollout', u32(0, 4, 0))).toEqual(u32(env.rollout('scenario', { steps: 4 }), 0));
    expect(await client.see('look')).toEqual(shownBy(env));
  });

  test('RESTORE comes back to a SNAPSHOT, here and in environments like these', async () => {
    const [client, other, stranger] = [
      await connected(),
      await connected(),
      await connected({ ...options, maxSteps: 7 }),
    ];
    await Promise.all([client, other, stranger].map((each) => each.hello(ALL)));
    await client.ask('rollout', u32(1, 5, 0));
    const [then, snapshot] = [await client.see('look'), await client.ask('snapshot')];
    await client.ask('rollout', u32(1, 5, 0));
    expect(await client.see('look')).not.toEqual(then);
    for (const each of [client, other]) {
      expect(await each.ask('restore', snapshot)).toHaveLength(0);
      expect(await each.see('look')).toEqual(then);
    }
    const fits = 'RESTORE: expected a snapshot of this configuration, found another, or a damaged one';
    await expect(stranger.ask('restore', snapshot)).rejects.toThrow(fits);
    snapshot[1000] = (snapshot[1000] ?? 0) ^ 1;
    await expect(client.ask('restore', snapshot)).rejects.toThrow(fits);
    expect(await client.see('look')).toEqual(then);
  });

  test('CLOSE is answered, and nothing after it', async () => {
    const client = await connected();
    await client.hello();
    client.send('close');
    client.send('look');
    expect(await client.next()).toMatchObject({ type: REQUESTS.close | 0x80, length: 0 });
    expect(await client.next()).toBeUndefined();
    await client.served;
  });
});

describe('what is wrong is said, and the connection goes on', () => {
  const hello = (text: string) => ['hello', new TextEncoder().encode(text)] as const;

  test.each([
    [...hello('{'), 0, 'HELLO: expected a JSON object, found "{"'],
    [...hello('[1]'), 0, 'HELLO: expected a JSON object, found "[1]"'],
    [...hello('{}'), 0, 'HELLO protocol: expected 1, found nothing'],
    [...hello('{"protocol":2}'), 0, 'HELLO protocol: expected 1, found 2'],
    [
      ...hello('{"protocol":1,"x":1}'),
      0,
      'HELLO: expected keys among protocol, envs, firstEnv, seed, fields, last, found "x"',
    ],
    [...hello('{"protocol":1,"envs":14}'), 0, 'HELLO envs: expected an integer 1..13, found 14'],
    [...hello('{"protocol":1,"envs":null}'), 0, 'HELLO envs: expected an integer 1..13, found "null"'],
    [...hello('{"protocol":1,"firstEnv":2097140}'), 0, 'HELLO firstEnv: expected an integer 0..2097139, found 2097140'],
    [...hello('{"protocol":1,"seed":-1}'), 0, 'HELLO seed: expected an integer 0..18446744073709551615, found -1'],
    [
      ...hello('{"protocol":1,"fields":"obs"}'),
      0,
      /^HELLO fields: expected a list of names among obs, .*, found "obs"$/,
    ],
    [
      ...hello('{"protocol":1,"fields":["act"]}'),
      0,
      /^HELLO fields: expected a list of names among obs, .*, found "act"$/,
    ],
    [
      ...hello('{"protocol":1,"last":["obs"]}'),
      0,
      /^HELLO last: expected a list of names among finalObs, .*, found "obs"$/,
    ],
    [...hello('{"protocol":1,"fields":["obs","obs"]}'), 0, 'HELLO fields: expected unique names, found obs, obs'],
    [...hello('{"protocol":1}'), 1, 'HELLO flags: expected 0, found 1'],
    ['step', new Uint8Array(51), 0, 'STEP: expected 52 bytes, found 51'],
    ['step', new Uint8Array(), 0, 'STEP: expected 52 bytes, found 0'],
    ['step', new Uint8Array(52), 128, 'STEP flags: expected 0, found 128'],
    ['reset', new Uint8Array(7), 1, 'RESET: expected 8 bytes, found 7'],
    ['reset', new Uint8Array(12), 2, 'RESET: expected 13 bytes, found 12'],
    ['reset', new Uint8Array(8), 0, 'RESET: expected 0 bytes, found 8'],
    ['reset', new Uint8Array(8), 3, 'RESET: seed cannot be combined with mask'],
    ['reset', new Uint8Array(8), 4, 'RESET flags: expected bits of 3, found 4'],
    ['look', new Uint8Array(1), 0, 'LOOK: expected 0 bytes, found 1'],
    ['suggest', u32(2), 0, 'SUGGEST policy: expected an integer 0..1, found 2'],
    ['suggest', new Uint8Array(), 0, 'SUGGEST: expected 4 bytes, found 0'],
    ['rollout', u32(2, 1, 1), 0, 'ROLLOUT policy: expected an integer 0..1, found 2'],
    ['rollout', u32(1, 0, 1), 0, 'ROLLOUT steps: expected an integer 1..1290555, found 0'],
    ['rollout', u32(1, 1_290_556, 1), 0, 'ROLLOUT steps: expected an integer 1..1290555, found 1290556'],
    ['snapshot', new Uint8Array(4), 0, 'SNAPSHOT: expected 0 bytes, found 4'],
    ['restore', new Uint8Array(9), 0, /^RESTORE: expected \d+ bytes, found 9$/],
    ['rekey', new Uint8Array(8), 0, 'REKEY: expected 16 bytes, found 8'],
    ['rekey', joined(u64(1n), u32(0, 14)), 0, 'REKEY to: expected an integer 0..13, found 14'],
    ['rekey', joined(u64(1n), u32(5, 4)), 0, 'REKEY to: expected an integer 5..13, found 4'],
    ['rekey', joined(u64(1n), u32(14, 14)), 0, 'REKEY from: expected an integer 0..13, found 14'],
  ] as const)('%s %s %s', async (name, payload, flags, message) => {
    const client = await connected();
    await client.hello(ALL);
    const before = await client.see('look');
    client.send(name, payload, flags);
    const frame = await client.next();
    expect(frame).toMatchObject({ type: ERROR, id: 3, flags: 0 });
    if (typeof message === 'string') expect(frame && said(frame)).toBe(message);
    else expect(frame && said(frame)).toMatch(message);
    expect(await client.see('look')).toEqual(before);
  });

  test.each(['protocol', 'envs', 'firstEnv', 'seed', 'fields', 'last', 'x'])(
    'a HELLO whose %s goes down 30 000 levels',
    async (key) => {
      const client = await connected();
      for (const [open, end, found] of [
        ['[', ']', /a list of 1|"x"/],
        ['{"a":', '}', /a mapping|"x"/],
      ] as const) {
        const protocol = key === 'protocol' ? '' : '"protocol":1,';
        const text = `{${protocol}"${key}":${open.repeat(9000)}1${end.repeat(9000)}}`;
        client.send('hello', new TextEncoder().encode(text));
        const frame = await client.next();
        expect(frame?.type).toBe(ERROR);
        expect(frame && said(frame)).toMatch(/^HELLO( \w+)?: expected /);
        expect(frame && said(frame)).toMatch(found);
      }
    },
  );

  test('an unknown type; one before HELLO; a payload that is too long', async () => {
    const client = await connected();
    await expect(client.ask('step')).rejects.toThrow('request: expected HELLO as the first request, found STEP');
    const { limit } = await client.hello(ALL);
    for (const [type, text] of [
      [0, 'type: expected a request, 1..10, found 0'],
      [11, 'type: expected a request, 1..10, found 11'],
      [0x81, 'type: expected a request, 1..10, found 129'],
    ] as const) {
      client.raw(encodeFrame(type, 500, Uint8Array.of(1, 2)));
      const frame = await client.next();
      expect(frame).toMatchObject({ type: ERROR, id: 500 });
      expect(frame && said(frame)).toBe(text);
    }
    client.raw(encodeFrame(REQUESTS.step, 501, new Uint8Array(Number(limit) + 1)));
    const frame = await client.next();
    expect(frame).toMatchObject({ type: ERROR, id: 501 });
    expect(frame && said(frame)).toBe(
      `frame: expected at most ${String(limit)} bytes of payload, found ${String(Number(limit) + 1)}`,
    );
    expect(Object.keys(await client.see('look'))).toEqual([...ALL.fields]);
  });
});

describe('the connection ends', () => {
  test.each([
    ['words', new TextEncoder().encode('GET / HTTP/1.1\r\n\r\n'), 'found 542393671'],
    ['a frame of 4 GiB', Uint8Array.of(255, 255, 255, 255, 1, 0, 1, 0), 'found 4294967295'],
    ['half a header', Uint8Array.of(1, 0, 0), 'frame: expected all of its bytes, found the end of the stream'],
    ['half a payload', encodeFrame(1, 1, new Uint8Array(9)).subarray(0, 12), 'found the end of the stream'],
  ])('after %s', async (_, bytes, message) => {
    const client = await connected();
    client.raw(bytes);
    client.end();
    const frame = await client.next();
    expect(frame?.type).toBe(ERROR);
    expect(frame && said(frame)).toContain(message);
    expect(await client.next()).toBeUndefined();
    await client.served;
  });

  test('after a length of 2^31 and more, even from those who have said HELLO', async () => {
    const client = await connected();
    await client.hello();
    client.raw(Uint8Array.of(0, 0, 0, 128, 3, 0, 9, 0));
    expect(await client.next()).toMatchObject({ type: ERROR, id: 9 });
    expect(await client.next()).toBeUndefined();
  });

  test('without a word when the client vanishes', async () => {
    const [there, back] = [slow(), slow()];
    back.on('error', () => undefined);
    const served = serveClient(there, back, await ServedEnvironments.create(scenarios, options));
    there.write(encodeFrame(REQUESTS.look, 1));
    back.destroy(Object.assign(new Error('gone'), { code: 'EPIPE' }));
    await expect(served).resolves.toBeUndefined();
  });
});

test('an offer refuses what no kernel holds', async () => {
  await expect(ServedEnvironments.create(scenarios, { numEnvs: 2 ** 21 + 1 })).rejects.toThrow(
    'numEnvs: expected an integer 1..2097152',
  );
});
