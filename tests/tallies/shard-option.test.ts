/** Which share a process plays, as it is written and as schedulers tell it. */
import { describe, expect, test } from 'vitest';
import { parseShard } from '../../src/tallies/shard-option.ts';

describe('parseShard', () => {
  const none = {};

  test.each([
    ['1/4', none, { index: 1, of: 4 }],
    ['4/4', none, { index: 4, of: 4 }],
    ['auto/8', { SLURM_ARRAY_TASK_ID: '3' }, { index: 3, of: 8 }],
    ['auto', { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '5', SLURM_ARRAY_TASK_MIN: '0' }, { index: 4, of: 5 }],
    ['auto/8', { JOB_COMPLETION_INDEX: '7' }, { index: 8, of: 8 }],
    ['auto', { AWS_BATCH_JOB_ARRAY_INDEX: '0', AWS_BATCH_JOB_ARRAY_SIZE: '3' }, { index: 1, of: 3 }],
  ])('%s with %o', (text, environment, shard) => {
    expect(parseShard(text, environment)).toEqual(shard);
  });

  test.each([
    ['0/4', none, '--shard: expected i/n, 1 <= i <= n, or auto/n, found "0/4"'],
    ['5/4', none, 'found "5/4"'],
    ['half', none, 'found "half"'],
    ['auto/4', none, 'SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX'],
    ['auto', { JOB_COMPLETION_INDEX: '0' }, 'auto/n'],
    ['auto/4', { JOB_COMPLETION_INDEX: '4' }, 'JOB_COMPLETION_INDEX'],
    ['auto/4', { SLURM_ARRAY_TASK_ID: 'x' }, 'SLURM_ARRAY_TASK_ID'],
  ])('refuses %s with %o', (text, environment, message) => {
    expect(() => parseShard(text, environment)).toThrow(message);
  });
});
