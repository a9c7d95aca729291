/** Memory behind the static data of modules. */
import { ALIGNMENT } from '../generated/kernel';

/** The next address at which something may begin. */
export function aligned<T extends number>(at: T): T {
  return <T>((at + ALIGNMENT - 1) & ~(ALIGNMENT - 1));
}

/**
 * Makes memory reach up to `end`; false if it cannot grow so far. Memory grows by a quarter of its size if it can: each
 * growth costs a collection of all garbage of the host.
 */
export function reach(end: u64): bool {
  const size = memory.size();
  const missing = <i32>((end + 0xffff) >> 16) - size;
  return missing <= 0 || memory.grow(max(missing, size >> 2)) >= 0 || memory.grow(missing) >= 0;
}
