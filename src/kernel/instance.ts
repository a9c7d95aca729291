/** Instances of compiled modules. */

/** What an instance of a module exports. */
export function instantiate(module: WebAssembly.Module): unknown {
  return new WebAssembly.Instance(module, { env: { abort } }).exports;
}

function abort(): never {
  throw new Error('a check inside the kernel failed');
}
