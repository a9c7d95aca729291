import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Semaphore } from '../../src/engines/pool/run-scheduler.ts';

it('Semaphore limits concurrent calls, keeps their order, and continues after an error', async () => {
  const window = new Semaphore(2);
  const events: string[] = [];
  const act = (name: number) => async (): Promise<void> => {
    events.push(`+${String(name)}`);
    await setImmediate();
    events.push(`-${String(name)}`);
    if (name === 0) throw new Error('failed');
  };
  const held = await Promise.allSettled([0, 1, 2, 3, 4].map((name) => window.runWithin(act(name))));
  expect(held.map(({ status }) => status === 'fulfilled')).toEqual([false, true, true, true, true]);
  expect(events.filter((event) => event.startsWith('+'))).toEqual(['+0', '+1', '+2', '+3', '+4']);
  let under = 0;
  const most = events.map((event) => (under += event.startsWith('+') ? 1 : -1));
  expect(Math.max(...most)).toBe(2);
});
