/** Measurement of benchmark contenders in alternating turns. */
import { beforeEach, expect, test, vi } from 'vitest';
import { type Contender, oneByOne, race } from '../../bench/race.ts';

/** Mocked clock in milliseconds, advanced only by contenders. tinybench keeps the clock that it finds at load time. */
const clock = vi.hoisted(() => {
  const shown = { now: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => shown.now);
  return shown;
});

/** Events in order: created contenders, their calls, and "|" at the end of a turn. */
let story: string[];

beforeEach(() => {
  story = [];
});

/** Creates a contender whose calls take these durations in order, in milliseconds, each for the same work. */
function contender(name: string, work: number, ...durations: number[]): Contender {
  return () => {
    story.push(`new ${name}`);
    return () => {
      clock.now += durations.shift() ?? Number.NaN;
      story.push(name);
      return work;
    };
  };
}

const turnEnds = (): void => void story.push('|');

test('race creates and samples each contender every turn, in nanoseconds per unit of work', async () => {
  const contenders = { a: contender('a', 10, 1, 2), b: contender('b', 1000, 5, 6) };
  const times = await race(contenders, oneByOne(2), turnEnds);
  expect(Object.fromEntries(times)).toEqual({ a: [1e5, 2e5], b: [5000, 6000] });
  expect(story.join(' ')).toBe('new a new b a b | new a new b a b |');
});

test('a turn samples for its time after the warm-up and returns the shortest sample', async () => {
  const a = contender('a', 1, 40, 9, 3, 5, 3);
  const times = await race({ a }, { turns: 1, time: 20, samples: 2, warmUp: 40 }, turnEnds);
  expect(times.get('a')).toEqual([3e6]);
  expect(story).toEqual(['new a', ...new Array<string>(5).fill('a'), '|']);
});

test('race uses the duration that a contender measured itself', async () => {
  const timed = contender('timed', 0, 100);
  const program: Contender = () => {
    const play = timed();
    return () => {
      void play();
      return { work: 4, milliseconds: 8 };
    };
  };
  expect((await race({ program }, oneByOne(1))).get('program')).toEqual([2e6]);
});

test('race awaits asynchronous contenders one after the other', async () => {
  const waiting = (name: string): Contender => {
    const make = contender(name, 1, 7);
    return () => {
      const play = make();
      return async () => {
        story.push(`${name} begins`);
        await Promise.resolve();
        return play() as number;
      };
    };
  };
  const times = await race({ a: waiting('a'), b: waiting('b') }, { ...oneByOne(1), awaited: true });
  expect([...times.values()]).toEqual([[7e6], [7e6]]);
  expect(story).toEqual(['new a', 'new b', 'a begins', 'a', 'b begins', 'b']);
});

test('race rejects with the error of a failed contender', async () => {
  const fails: Contender = () => () => {
    throw new Error('they did not count the same');
  };
  await expect(race({ fails }, oneByOne(1))).rejects.toThrow('they did not count the same');
});
