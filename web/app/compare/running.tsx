/** What work is under way, with a button that ends it, and what went wrong with it. */
import { grouped, progressLine } from '../../../src/tell/index.ts';
import { Button } from '../parts/button.tsx';
import { useElapsed } from '../parts/elapsed.ts';
import { Problem } from '../parts/problem.tsx';
import type { Work } from '../pictures/work.ts';

interface Progress {
  readonly done: number;
  readonly asked: number;
}

interface RunningProps {
  readonly work: Work<unknown, Progress>;
  /** What is counted: battles, steps. */
  readonly what: string;
}

export function Running({ work, what }: RunningProps) {
  const { busy, progress, fault } = work;
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
          <Button
            onClick={() => {
              work.stop();
            }}
          >
            Stop
          </Button>
        </p>
      )}
      {fault.value !== undefined && <Problem error={fault.value} />}
    </>
  );
}
