/** Made by web/build/systems.ts. */
declare module 'virtual:systems' {
  type Named = import('./registry.ts').Named;

  export const SYSTEMS: readonly Named[];
}
