/** Figures of running work: `RedrawScheduler` always draws the last update. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RedrawScheduler } from '../../web/app/figures/redraw-scheduler.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Drawing takes 100 ms and shows the data at its start. */
function drawn(): { there: { parts: number }; pictures: number[]; drawing: RedrawScheduler } {
  const there = { parts: 0 };
  const pictures: number[] = [];
  const drawing = new RedrawScheduler(async () => {
    const { parts } = there;
    await new Promise((resolve) => setTimeout(resolve, 100));
    pictures.push(parts);
  }, 600);
  return { there, pictures, drawing };
}

test.each([10, 150, 700])(
  'RedrawScheduler draws the last of eleven updates, one every %d ms, without a further call',
  async (gap) => {
    const { there, pictures, drawing } = drawn();
    for (let part = 1; part <= 11; part++) {
      there.parts = part;
      drawing.markDirty();
      await vi.advanceTimersByTimeAsync(gap);
    }
    await vi.advanceTimersByTimeAsync(2000);
    expect(pictures.at(-1)).toBe(11);
    expect(pictures.length).toBeLessThanOrEqual(1 + Math.ceil((11 * gap) / 600) + 1);
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('drawNow resolves after a change during the drawing is drawn', async () => {
  const { there, pictures, drawing } = drawn();
  there.parts = 1;
  const over = drawing.drawNow();
  await vi.advanceTimersByTimeAsync(50);
  there.parts = 2;
  void drawing.drawNow();
  await vi.advanceTimersByTimeAsync(200);
  await over;
  expect(pictures).toEqual([1, 2]);
});
