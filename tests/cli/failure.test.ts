import { CommanderError } from 'commander';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CommandExit, createFailure, runWithBudgetAdvice } from '../../src/cli/failure.ts';
import { BudgetError, InputError, RunError } from '../../src/core/errors.ts';
import { PartConflictError } from '../../src/storage/cluster/part-storage.ts';
import { MissingPart } from '../../src/storage/store/run.ts';

const input = new InputError('--seed', 'an integer', '"x"');

describe('errors', () => {
  test.each([
    [input, 2, '--seed: expected an integer, found "x"'],
    [InputError.of([input, input]), 2, `${input.message}\n${input.message}`],
    [new RunError('a thread died'), 1, 'warpool: a thread died'],
    [new PartConflictError('a part is there'), 1, 'warpool: a part is there'],
    [new CommandExit(130, 'interrupted'), 130, 'interrupted'],
    [new CommanderError(1, 'commander.unknownOption', 'said already'), 2, ''],
    [new CommanderError(0, 'commander.helpDisplayed', 'said already'), 0, ''],
    [new TypeError('oops'), 1, 'warpool: unexpected error: oops (WARPOOL_DEBUG=1 shows where)'],
    ['oops', 1, 'warpool: unexpected error: oops (WARPOOL_DEBUG=1 shows where)'],
  ])('have the expected exit code and message: %s', (error, code, message) => {
    expect(createFailure(error)).toEqual({ code, message });
  });

  test('of an exceeded budget contain advice from runWithBudgetAdvice', () => {
    const reject = (error: Error) => (): never => {
      throw error;
    };
    const advised = new BudgetError('too many states\ndo less');
    expect(() => runWithBudgetAdvice(reject(new BudgetError('too many states')), 'do less')).toThrow(advised);
    const larger = new BudgetError('too many states\n"--budget 8000" may be enough; do less', { suggested: 8000 });
    expect(() =>
      runWithBudgetAdvice(reject(new BudgetError('too many states', { suggested: 8000 })), 'do less'),
    ).toThrow(larger);
    expect(createFailure(advised)).toEqual({ code: 1, message: `warpool: ${advised.message}` });
    expect(() => runWithBudgetAdvice(reject(input), 'do less')).toThrow(input);
    expect(runWithBudgetAdvice(() => 7, 'do less')).toBe(7);
  });

  test('are instances of their base class, but not of other classes', () => {
    const conflict = new PartConflictError('a part is there');
    expect([conflict instanceof PartConflictError, conflict instanceof RunError]).toEqual([true, true]);
    expect([conflict instanceof InputError, conflict instanceof BudgetError]).toEqual([false, false]);
    const other: unknown = new RunError('a thread died');
    expect([other instanceof PartConflictError, other instanceof MissingPart]).toEqual([false, false]);
  });

  test('contain no control characters in the message', () => {
    expect(createFailure(new InputError('a\u001B[2J', 'b\rc', 'd')).message).toBe(
      'a\uFFFD[2J: expected b\uFFFDc, found d',
    );
  });
});

describe('WARPOOL_DEBUG', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('adds the stack trace', () => {
    vi.stubEnv('WARPOOL_DEBUG', '1');
    expect(createFailure(new RunError('a thread died')).message).toMatch(/a thread died\n\s+at /);
  });
});
