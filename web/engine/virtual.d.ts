/** Made by web/build/systems.ts. */
declare module 'virtual:systems' {
  type Named = import('./registry/registry.ts').LoadableSystem;

  export const SYSTEMS: readonly Named[];
}
