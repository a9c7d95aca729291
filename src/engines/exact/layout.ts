/** Layout of the data for assembly/engines/chain.ts and sampled.ts. */
import { record, u32 } from '../../rules/index.ts';

/** Kinds of nodes of a chain: the battle is over, between two rounds, or within one. */
export const KIND = { over: 0, resting: 1, within: 2 } as const;

/**
 * A slot of an alias table: a word below the threshold selects the slot itself, others the counter at this byte offset.
 */
export const SLOT = record({ threshold: u32, alias: u32 });
