/** Modules that scripts/build-browser.js generates. */

/** Loaders of kernels by name: each module exports Base64. A page may provide files instead. */
declare module '#kernels/embedded/index.js' {
  type Kernel = { readonly text: string } | { readonly bytes: Uint8Array<ArrayBuffer> };

  const KERNELS: Readonly<Record<string, () => Promise<Kernel>>>;

  export { KERNELS };
}

/** All kernels in Base64, by name. */
declare module '#kernels/embedded/all.js' {
  const ALL: Readonly<Record<string, string>>;

  export { ALL };
}

/** The script of threads as a text. */
declare module '#kernels/embedded/thread.js' {
  const text: string;

  export { text };
}
