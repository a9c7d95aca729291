/** Arguments of wrong types: the error names the argument instead of a place deep in the code. */
import { describe, expect, test } from 'vitest';
import { type SimulateOptions, simulate } from '../src/analysis/simulate.ts';
import { InputError } from '../src/core/errors.ts';
import { loadScenario, parseScenario } from '../src/rules/scenario/index.ts';
import { openStore } from '../src/storage/store/open-store.ts';
import { verifyStore } from '../src/storage/store/verify-store.ts';

const duel = await loadScenario('scenarios/attrition-direct.yaml');

async function rejection(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  return 'taken';
}

test.each<[unknown, string]>([
  [5, '5'],
  [null, 'null'],
  [undefined, 'nothing'],
  [{}, 'an empty mapping'],
  [Symbol('x'), 'a symbol'],
])('parseScenario rejects the text %o', async (text, found) => {
  expect(await rejection(() => parseScenario(text as string))).toBe(`scenario: expected a string, found ${found}`);
});

test.each<[object, string]>([
  [{ pool: {} }, 'pool: expected a ThreadPool, found an empty mapping'],
  [{ pool: null }, 'pool: expected a ThreadPool, found null'],
  [{ pool: 5 }, 'pool: expected a ThreadPool, found 5'],
  [{ signal: {} }, 'signal: expected an AbortSignal, found an empty mapping'],
  [{ signal: null }, 'signal: expected an AbortSignal, found null'],
  [{ onProgress: 5 }, 'onProgress: expected a function, found 5'],
])('simulate rejects the options %o', async (options, message) => {
  expect(await rejection(() => simulate(duel, options as SimulateOptions))).toBe(message);
});

describe('openStore and verifyStore', () => {
  test.each<[unknown, string]>([
    [5, '5'],
    [undefined, 'nothing'],
    [{}, 'an empty mapping'],
  ])('reject the folder %o', async (folder, found) => {
    for (const act of [openStore, verifyStore])
      expect(await rejection(() => act(folder as string))).toBe(`folder: expected a path, found ${found}`);
  });

  test('verifyStore rejects a signal that is not an AbortSignal', async () => {
    const signal = {} as AbortSignal;
    expect(await rejection(() => verifyStore('nowhere', { signal }))).toMatch(/^signal: expected an AbortSignal/);
  });
});
