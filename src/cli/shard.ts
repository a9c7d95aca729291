/** Shard of this process: `2/8`, or `auto` under a scheduler. Schedulers count from 0 or another start. */
import { InputError } from '../core/index.ts';
import { checkShard, type Shard } from '../storage/index.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Shard according to a scheduler: its index from 1 and, if known, the number of shards. */
interface SchedulerShard {
  /** Environment variable that has the index. */
  readonly variable: string;
  readonly index: number;
  readonly of: number | undefined;
}

const PLACE = '--shard';

/** Reads an integer from a variable; undefined if it is not set. */
function readNumber(variables: Variables, name: string): number | undefined {
  const text = variables[name];
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InputError(name, 'a whole number', `"${text}"`);
}

/** Slurm arrays may have any start and step: sbatch(1), "--array". */
function readSlurm(variables: Variables): SchedulerShard | undefined {
  const by = 'SLURM_ARRAY_TASK_ID';
  const id = readNumber(variables, by);
  if (id === undefined) return undefined;
  const first = readNumber(variables, 'SLURM_ARRAY_TASK_MIN') ?? 1;
  const step = readNumber(variables, 'SLURM_ARRAY_TASK_STEP') ?? 1;
  return { variable: by, index: (id - first) / step + 1, of: readNumber(variables, 'SLURM_ARRAY_TASK_COUNT') };
}

/** Indexed Jobs of Kubernetes do not have the number of shards. */
function readKubernetes(variables: Variables): SchedulerShard | undefined {
  const by = 'JOB_COMPLETION_INDEX';
  const index = readNumber(variables, by);
  return index === undefined ? undefined : { variable: by, index: index + 1, of: undefined };
}

function readAwsBatch(variables: Variables): SchedulerShard | undefined {
  const by = 'AWS_BATCH_JOB_ARRAY_INDEX';
  const index = readNumber(variables, by);
  return index === undefined
    ? undefined
    : { variable: by, index: index + 1, of: readNumber(variables, 'AWS_BATCH_JOB_ARRAY_SIZE') };
}

const SCHEDULERS = [readSlurm, readKubernetes, readAwsBatch];
const VARIABLES = 'SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX';

const formatShard = ({ index, of }: Pick<SchedulerShard, 'index' | 'of'>): string =>
  of === undefined ? String(index) : `${String(index)}/${String(of)}`;

/** @param count of shards, if the option has it */
function detectShard(variables: Variables, count: number | undefined): Shard {
  const [reported, other] = SCHEDULERS.flatMap((scheduler) => scheduler(variables) ?? []);
  if (reported === undefined)
    throw new InputError(
      PLACE,
      `a shard such as 2/8, or a scheduler that sets ${VARIABLES}`,
      '"auto" without such a variable',
    );
  if (other !== undefined && formatShard(reported) !== formatShard(other))
    throw new InputError(
      PLACE,
      `the same shard in ${reported.variable} and ${other.variable}`,
      `shard ${formatShard(reported)} and shard ${formatShard(other)}`,
    );
  const { variable, index, of = count } = reported;
  if (of === undefined) throw new InputError(PLACE, `auto/n, because ${variable} has no number of shards`, '"auto"');
  if (count !== undefined && of !== count)
    throw new InputError(PLACE, `${String(of)} shards, as for ${variable}`, `auto/${String(count)}`);
  // The tasks of an array with a list of indices.
  if (!Number.isSafeInteger(index) || index < 1 || index > of)
    throw new InputError(
      PLACE,
      `an array 1-${String(of)}; for single shards use i/n`,
      `${variable}=${variables[variable] ?? ''}`,
    );
  return { index, of };
}

/**
 * @param value `i/n`, `auto` or `auto/n`
 * @param variables of the environment
 * @throws InputError for other values, or if the scheduler's variables do not fit
 */
export function parseShard(value: string, variables: Variables = process.env): Shard {
  const [, index = '', of] = /^(auto|\d{1,9})(?:\/(\d{1,9}))?$/.exec(value) ?? [];
  if (index === '' || (index !== 'auto' && of === undefined))
    throw new InputError(PLACE, 'a shard such as 2/8, auto or auto/8', `"${value}"`);
  const count = of === undefined ? undefined : Number(of);
  const shard = index === 'auto' ? detectShard(variables, count) : { index: Number(index), of: Number(of) };
  checkShard(shard, PLACE);
  return shard;
}
