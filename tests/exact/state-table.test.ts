/** States as words: what is read again is what was written, and states are one node where their keys are equal. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { d } from '../../src/core/distributions/algebra.ts';
import { StateTable } from '../../src/engines/exact/state-table.ts';
import { StateWords } from '../../src/engines/exact/state-words.ts';
import { solveFinalStates } from '../../src/engines/kernel/chain-solver.ts';
import { type Battle, createModel } from '../../src/rules/custom/battle.ts';

const data = fc.jsonValue();
/** As JSON has it: without -0, which is one key with 0. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('plain data is read as it was written, one value after the other', () => {
  fc.assert(
    fc.property(fc.array(data, { minLength: 1 }), (values) => {
      const code = new StateWords();
      const written = values.map((value) => code.write(value));
      if (!written.every(Boolean)) return JSON.stringify(values).includes('__proto__');
      const words = code.words.slice(0, code.length);
      code.at = 0;
      expect(values.map(() => code.read(words))).toEqual(plain(values));
      return true;
    }),
  );
});

test.each([[undefined], [Number.NaN], [1n], [new Map()], [{ at: new Date(0) }], [[() => 1]]])('%s is none', (value) => {
  expect(new StateWords().write(value)).toBe(false);
});

test('an object that contains itself is none', () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(new StateWords().write(loop)).toBe(false);
});

test.each([undefined, ({ at }: { at: unknown }) => JSON.stringify(at), () => 7])(
  'states with equal keys are one: %s',
  (key) => {
    const battle = {
      outcomes: ['over'],
      start: () => ({ at: null as unknown }),
      round: (at: { at: unknown }) => at,
      outcome: () => 'over',
    };
    const model = createModel<{ at: unknown }>({ ...battle, ...(key && { key }) }, 9);
    fc.assert(
      fc.property(fc.array(data, { maxLength: 300 }), (values) => {
        const table = new StateTable(model);
        const known = new Map<unknown, number>();
        for (const [round, at] of values.entries()) {
          const state = { round, phase: 0, at: { at } };
          const node = table.find(state);
          expect(node).toBe(known.get(model.key(state)) ?? -1);
          if (node >= 0) continue;
          const next = known.size;
          known.set(model.key(state), next);
          if (table.add(state)) expect(table.read(next)).toEqual(plain(state));
        }
      }),
    );
  },
);

interface Duel {
  readonly lives: readonly number[];
  readonly name: string;
  readonly half: number;
}

/** Lives go down and up again, so that battles return to states and reach the round limit. */
const duel: Battle<Duel> = {
  outcomes: ['one', 'other'],
  metrics: { lives: { min: 0, max: 30, of: ({ lives, half }) => (lives[0] ?? 0) + (lives[1] ?? 0) + 2 * half } },
  start: () => ({ lives: [5, 5], name: 'even', half: 0.5 }),
  round({ lives: [one = 0, other = 0] }, chance) {
    const face = chance.sample(d(6));
    const lives = face < 3 ? [one - 1, other] : face < 5 ? [one, other - 1] : [Math.min(7, one + 1), other];
    return { lives, name: face === 6 ? 'lucky' : 'even', half: face / 2 };
  },
  outcome: ({ lives }) => (lives[0] === 0 ? 'other' : lives[1] === 0 ? 'one' : undefined),
};

test.each([{}, { key: ({ lives, name, half }: Duel) => `${lives.join()} ${name} ${String(half)}` }])(
  'a chain has the same final states with and without stored ones: %o',
  (key) => {
    const model = createModel({ ...duel, ...key }, 12);
    expect(model.plain).toBe('key' in key ? 'state' : 'key');
    expect(solveFinalStates(model)).toEqual(solveFinalStates({ ...model, plain: undefined }));
  },
);
