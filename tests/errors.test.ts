/** Errors as data: classes, fields, codes, JSON and structured clones. */
import { describe, expect, test } from 'vitest';
import {
  BudgetError,
  InputError,
  loadScenario,
  parseScenario,
  RunError,
  reviveError,
  ScriptError,
  simulate,
  systemJsonSchema,
  updateScenario,
  validateScenario,
  WarpoolError,
} from '../src/index.ts';

async function thrownBy(act: () => unknown): Promise<InputError> {
  try {
    await act();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error('accepted');
}

const DUEL =
  'system: attrition\nmode: direct\nattacker: { attack: 1, defense: 1, hp: 0 }\ndefender: { atack: 1, hp: 9 }\n';

describe('an InputError', () => {
  test('contains path, file, line, column and code of each error', async () => {
    const error = await thrownBy(() => parseScenario(DUEL, { source: 'duel.yaml' }));
    expect(error.errors.map(({ path, file, line, column, code }) => [path, file, line, column, code])).toEqual([
      [['attacker', 'hp'], 'duel.yaml', 3, 40, 'invalid-value'],
      [['defender', 'attack'], 'duel.yaml', 4, 11, 'missing-value'],
      [['defender', 'defense'], 'duel.yaml', 4, 11, 'missing-value'],
      [['defender', 'atack'], 'duel.yaml', 4, 13, 'unknown-name'],
    ]);
    expect(error).toMatchObject({
      path: ['attacker', 'hp'],
      line: 3,
      message: error.errors.map((each) => each.message).join('\n'),
    });
  });

  test.each<[string, () => unknown, object]>([
    ['a field', () => validateScenario({ system: 'attrition', mode: 'mass', combatants: 5 }), { path: ['combatants'] }],
    [
      'a name with a dot',
      () =>
        updateScenario(parseScenario(DUEL.replace('hp: 0', 'hp: 1').replace('atack: 1', 'attack: 1, defense: 1')), {
          '["a.b"]': 1,
        }),
      { path: ['a.b'], code: 'unknown-name' },
    ],
    ['a system', () => validateScenario({ system: 'nope' }), { path: ['system'], code: 'unknown-name' }],
    ['a file', () => loadScenario('gone.yaml'), { path: [], file: 'gone.yaml', code: 'unreadable-file' }],
    [
      'syntax',
      () => parseScenario('a: [', { source: 'a.yaml' }),
      { path: [], file: 'a.yaml', line: 1, code: 'invalid-syntax' },
    ],
    ['an option', () => simulate(parseScenario('system: x'), {}), { path: ['system'], code: 'unknown-name' }],
    [
      'an unknown option',
      () => loadScenario('scenarios/attrition-direct.yaml', { sytems: [] } as never),
      { path: ['sytems'], code: 'unknown-name' },
    ],
  ])('about %s has the expected fields and names no command-line option', async (_, act, fields) => {
    const error = await thrownBy(act);
    expect(error.toJSON()).toMatchObject(fields);
    expect(error.errors).toEqual([error]);
    expect(error.message).not.toMatch(/--[a-z]/);
  });

  test('keeps all its fields in JSON and structured clones', async () => {
    const error = await thrownBy(() => parseScenario(DUEL, { source: 'duel.yaml' }));
    for (const sent of [JSON.parse(JSON.stringify(error)) as never, structuredClone(error.toJSON())]) {
      const revived = reviveError(sent);
      expect(revived).toBeInstanceOf(InputError);
      expect(revived.toJSON()).toEqual(error.toJSON());
      expect(revived instanceof InputError && revived.errors.map(({ line }) => line)).toEqual(
        error.errors.map(({ line }) => line),
      );
    }
  });
});

test('all errors extend WarpoolError, have a code, and survive JSON', () => {
  for (const error of [new RunError('a'), new BudgetError('b', { suggested: 7 }), new ScriptError('c')]) {
    const revived = reviveError(JSON.parse(JSON.stringify(error)) as never);
    expect(error).toBeInstanceOf(WarpoolError);
    expect(revived.constructor).toBe(error.constructor);
    expect(revived.toJSON()).toEqual(error.toJSON());
    expect(revived.code).toMatch(/^[a-z]+-[a-z]+$/);
  }
});

test('systemJsonSchema returns one schema for all systems', () => {
  expect(systemJsonSchema('all')).toMatchObject({ $id: 'urn:warpool:scenario' });
});

test('simulate accepts counts as numbers and as text', async () => {
  const duel = await loadScenario('scenarios/attrition-direct.yaml');
  const [text, number] = await Promise.all([
    simulate(duel, { battles: '1k', workers: '1' }),
    simulate(duel, { battles: 1000 }),
  ]);
  expect(text.digest).toBe(number.digest);
});

test('a renamed error keeps the position and code of the original, but not its texts', () => {
  const first = new InputError('army.yaml:3:5 vary', 'a', 'b', { code: 'unknown-name' });
  const renamed = new InputError('--vary', 'c', 'd', first);
  expect(renamed).toMatchObject({ place: '--vary', expected: 'c', found: 'd', message: '--vary: expected c, found d' });
  expect(renamed).toMatchObject({ code: 'unknown-name', file: 'army.yaml', line: 3, column: 5, path: ['vary'] });
});
