/** Which share of a run a process plays: `2/8`, or `auto` where a scheduler tells it. */
import { InputError } from '../errors.ts';
import type { Shard } from './shard.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables in which schedulers tell the number of a task, where these begin, and how many there are. */
const SCHEDULERS = [
  {
    by: 'SLURM_ARRAY_TASK_ID',
    first: (all: Variables) => Number(all['SLURM_ARRAY_TASK_MIN'] ?? 1),
    of: 'SLURM_ARRAY_TASK_COUNT',
  },
  { by: 'JOB_COMPLETION_INDEX', first: () => 0, of: '' },
  { by: 'AWS_BATCH_JOB_ARRAY_INDEX', first: () => 0, of: 'AWS_BATCH_JOB_ARRAY_SIZE' },
] as const;

function toldBy(variables: Variables, of: string | undefined): string {
  const scheduler = SCHEDULERS.find(({ by }) => variables[by] !== undefined);
  if (scheduler === undefined) {
    const names = SCHEDULERS.map(({ by }) => by).join(', ');
    throw new InputError('--shard', `i/n, or one of the variables ${names}`, '"auto"');
  }
  const { by, first, of: count } = scheduler;
  const total = of ?? variables[count];
  if (total === undefined) throw new InputError('--shard', `auto/n, for ${by} does not tell how many`, '"auto"');
  const index = Number(variables[by]) - first(variables) + 1;
  if (Number.isSafeInteger(index) && index >= 1 && index <= Number(total)) return `${String(index)}/${total}`;
  throw new InputError('--shard', `one of ${total} shares in ${by}`, `"${variables[by] ?? ''}"`);
}

/** @throws InputError unless it is `i/n`, `auto` or `auto/n` */
export function parseShard(text: string, variables: Variables): Shard {
  const [, auto, total] = /^(auto)(?:\/(\d{1,6}))?$/.exec(text) ?? [];
  const said = auto === undefined ? text : toldBy(variables, total);
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(said) ?? [];
  if (Number(index) >= 1 && Number(index) <= Number(of)) return { index: Number(index), of: Number(of) };
  throw new InputError('--shard', 'i/n, 1 <= i <= n, or auto/n', `"${text}"`);
}
