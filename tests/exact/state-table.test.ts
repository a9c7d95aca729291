/** Serialization of states as words, and lookup of states by key. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { d } from '../../src/core/distributions/algebra.ts';
import { StateTable } from '../../src/engines/exact/state-table.ts';
import { StateWords } from '../../src/engines/exact/state-words.ts';
import { solveFinalStates } from '../../src/engines/kernel/chain-solver.ts';
import { type Battle, createModel } from '../../src/rules/custom/battle.ts';

const data = fc.jsonValue();
/** Converts through JSON, which replaces -0 by 0. Both have the same key. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('StateWords reads plain data as it was written', () => {
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

test.each([[undefined], [Number.NaN], [1n], [new Map()], [{ at: new Date(0) }], [[() => 1]]])(
  'StateWords does not write %s',
  (value) => {
    expect(new StateWords().write(value)).toBe(false);
  },
);

test('StateWords does not write an object that contains itself', () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  expect(new StateWords().write(loop)).toBe(false);
});

test.each([undefined, ({ at }: { at: unknown }) => JSON.stringify(at), () => 7])(
  'StateTable finds states with equal keys: %s',
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

/** Duel in which lives decrease and increase, so that states repeat and battles reach the round limit. */
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
  'solveFinalStates returns the same final states with and without serialized states: %o',
  (key) => {
    const model = createModel({ ...duel, ...key }, 12);
    expect(model.plain).toBe('key' in key ? 'state' : 'key');
    expect(solveFinalStates(model)).toEqual(solveFinalStates({ ...model, plain: undefined }));
  },
);
