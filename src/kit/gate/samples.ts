/** Samples of several tasks that take turns, taken by tinybench. */

export interface Sampling {
  /** Samples of each task. */
  readonly samples: number;
  /** Calls of each task before its first sample; none unless given. */
  readonly warmUp?: number;
}

/**
 * The shortest sample of each task, a call each, in milliseconds.
 *
 * tinybench would take all samples of a task before those of the next. Under `concurrency: 'bench'` every task awaits
 * between its samples, so that one sample of each follows another, and since the tasks are synchronous nothing else runs
 * while one is timed. From sample to sample it takes a microsecond.
 */
export async function shortest<Name extends string>(
  tasks: Readonly<Record<Name, () => void>>,
  { samples, warmUp = 0 }: Sampling,
): Promise<Record<Name, number>> {
  const { Bench } = await import('tinybench');
  const bench = new Bench({
    concurrency: 'bench',
    iterations: samples,
    time: 0,
    warmup: warmUp > 0,
    warmupIterations: warmUp,
    warmupTime: 0,
    throws: true,
  });
  for (const [name, task] of Object.entries<() => void>(tasks)) bench.add(name, task, { async: false });
  await bench.run();
  const shortestOf = bench.tasks.map(({ name, result }) => {
    if (result.state !== 'completed') throw new Error(`${name} was not measured: ${result.state}`);
    return [name, result.latency.min] as const;
  });
  return Object.fromEntries(shortestOf) as Record<Name, number>;
}
