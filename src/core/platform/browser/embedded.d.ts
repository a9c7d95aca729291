/** Modules that scripts/build-browser.js generates. */

/** Loaders of kernels by name: none in bundles of the library, files in a page. */
declare module '#kernels/embedded/index.js' {
  const KERNELS: Readonly<Record<string, () => Promise<{ readonly bytes: Uint8Array<ArrayBuffer> }>>>;

  export { KERNELS };
}

/** All kernels in Base64, by name. */
declare module '#kernels/embedded/all.js' {
  const KERNELS: Readonly<Record<string, string>>;

  export { KERNELS };
}

/** The kernels that all systems use. */
declare module '#kernels/embedded/common.js' {
  export { KERNELS } from '#kernels/embedded/all.js';
}

/** The kernel of compiled environments in Base64. */
declare module '#kernels/embedded/decision-automaton.js' {
  const text: string;

  export { text };
}

/** The script of threads as a text. */
declare module '#kernels/embedded/thread.js' {
  const text: string;

  export { text };
}
