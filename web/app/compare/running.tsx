/** What work is under way, with a button that ends it, what went wrong with it, and what came of it. */
import type { ComponentChildren } from 'preact';
import { grouped, type HowFar, progressLine } from '../../../src/tell/index.ts';
import { Button } from '../parts/button.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Older } from '../parts/older.tsx';
import { Problem } from '../parts/problem.tsx';
import type { Work } from '../pictures/work.ts';

interface RunningProps<T> {
  readonly work: Work<T, HowFar>;
  /** What is counted: battles, steps. */
  readonly what: string;
  /** Draws a result. */
  readonly children: (result: T) => ComponentChildren;
}

export function Running<T>({ work, what, children }: RunningProps<T>) {
  const { busy, progress, fault, result } = work;
  const { done = 0, asked = 0 } = progress.value ?? {};
  const known = asked > 0;
  const words = useElapsed(
    busy.value && known ? done : undefined,
    (seconds) => progressLine({ done, asked }, seconds, what),
    known ? `${grouped(done)} of ${grouped(asked)} ${what}` : 'Working …',
  );
  return (
    <>
      {busy.value && (
        <p class="progress">
          <progress max={1} {...(known && { value: done / asked })} aria-label={`${what} done`} />
          <span class="small soft">{words}</span>
          <Button onClick={work.stop}>Stop</Button>
        </p>
      )}
      {fault.value !== undefined && <Problem error={fault.value} />}
      {result.value !== undefined && <Older of={work.of.value}>{children(result.value)}</Older>}
    </>
  );
}
