/**
 * Keys of the methods that `using` and `await using` call. Many realms lack `Symbol.dispose` and `Symbol.asyncDispose`:
 * contexts of `node:vm` before Node 24, so also Jest and the pool `vmThreads` of Vitest, and older browsers. Compiled
 * `using` statements then use the registered symbols of the same names.
 */
const known: Partial<Pick<typeof Symbol, 'asyncDispose' | 'dispose'>> = Symbol;

export const asyncDispose: typeof Symbol.asyncDispose = (known.asyncDispose ??
  Symbol.for('Symbol.asyncDispose')) as typeof Symbol.asyncDispose;

export const dispose: typeof Symbol.dispose = (known.dispose ?? Symbol.for('Symbol.dispose')) as typeof Symbol.dispose;
