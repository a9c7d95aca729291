/** Memory behind the static data of modules. */
import { ALIGNMENT } from '../generated/kernel';

/** The next address at which something may begin. */
export function aligned<T extends number>(at: T): T {
  return <T>((at + ALIGNMENT - 1) & ~(ALIGNMENT - 1));
}

/** Makes memory reach up to `end`; false if it cannot grow so far. */
export function reach(end: u64): bool {
  const pages = <i32>((end + 0xffff) >> 16);
  return pages <= memory.size() || memory.grow(pages - memory.size()) >= 0;
}
