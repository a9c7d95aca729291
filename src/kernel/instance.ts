/** Instances of compiled modules. */

/** A compiled WebAssembly module; not called so because published types must do without those of browsers. */
export type Module = object;

/** What an instance of a module exports. */
export function instantiate(module: Module): unknown {
  return new WebAssembly.Instance(module, { env: { abort } }).exports;
}

function abort(): never {
  throw new Error('a check inside the kernel failed');
}
