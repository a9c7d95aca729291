/** A player in a thread with which no memory is shared: it is told chunk by chunk what to play. */
import type { Tally } from '../../answers/tally.ts';
import type { Player, Setup } from './forms.ts';
import type { AnyPlayer } from './job.ts';
import { openPlayer } from './player.ts';

/** What such a thread is told. */
export type Order =
  | { readonly do: 'open'; readonly setup: Setup }
  | { readonly do: 'play'; readonly from: number; readonly count: number }
  | { readonly do: 'take' }
  | { readonly do: 'close' };

let player: Player | undefined;

/** Does what the thread is told; a thread has one player at a time. */
export async function obey(order: Order): Promise<Tally | undefined> {
  if (order.do === 'open') player = await openPlayer(order.setup);
  else if (order.do === 'play') player?.play(order.from, order.count);
  else if (order.do === 'take') return player?.take();
  else player?.close();
  return undefined;
}

/**
 * Opens a player in a thread.
 * @param perform has a task done by that thread
 */
export async function distantPlayer(
  perform: (task: { readonly name: string; readonly task: Order }) => Promise<unknown>,
  setup: Setup,
): Promise<AnyPlayer> {
  const tell = (task: Order): Promise<unknown> => perform({ name: 'obey', task });
  await tell({ do: 'open', setup });
  return {
    play: async (from, count) => {
      await tell({ do: 'play', from, count });
    },
    take: async () => (await tell({ do: 'take' })) as Tally,
    close: async () => {
      await tell({ do: 'close' });
    },
  };
}
