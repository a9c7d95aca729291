/** What scripts/build-browser.js writes. */

/** Loads kernels, by their names: each module exports Base64. A page may have files in their place. */
declare module '#kernels/embedded/index.js' {
  type Kernel = { readonly text: string } | { readonly bytes: Uint8Array<ArrayBuffer> };

  const KERNELS: Readonly<Record<string, () => Promise<Kernel>>>;

  export { KERNELS };
}

/** All kernels in Base64, by their names. */
declare module '#kernels/embedded/all.js' {
  const ALL: Readonly<Record<string, string>>;

  export { ALL };
}

/** The script of threads, as a text. */
declare module '#kernels/embedded/thread.js' {
  const text: string;

  export { text };
}
