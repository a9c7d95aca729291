/** Progress of background work with a Stop button, its error and its result. */
import type { ComponentChildren } from 'preact';
import { formatGrouped, formatProgress, type ProgressCount } from '../../../src/report/index.ts';
import type { BackgroundWork } from '../figures/background-work.ts';
import { Button } from '../parts/button.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Outdated } from '../parts/outdated.tsx';
import { Problem } from '../parts/problem.tsx';

interface RunningProps<T> {
  readonly work: BackgroundWork<T, ProgressCount>;
  /** Unit of the progress: battles, steps. */
  readonly what: string;
  /** Renders a result. */
  readonly children: (result: T) => ComponentChildren;
}

export function RunningStatus<T>({ work, what, children }: RunningProps<T>) {
  const { busy, progress, fault, result } = work;
  const { done = 0, total = 0 } = progress.value ?? {};
  const known = total > 0;
  const words = useElapsed(
    busy.value && known ? done : undefined,
    (seconds) => formatProgress({ done, total }, seconds, what),
    known ? `${formatGrouped(done)} of ${formatGrouped(total)} ${what}` : 'Working …',
  );
  return (
    <>
      {busy.value && (
        <p class="progress">
          <progress max={1} {...(known && { value: done / total })} aria-label={`${what} done`} />
          <span class="small soft">{words}</span>
          <Button onClick={work.stop}>Stop</Button>
        </p>
      )}
      {fault.value !== undefined && <Problem error={fault.value} />}
      {result.value !== undefined && <Outdated of={work.of.value}>{children(result.value)}</Outdated>}
    </>
  );
}
