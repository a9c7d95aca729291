/** Made by web/build/systems.ts. */
declare module 'virtual:systems' {
  import type { Named } from './registry.ts';

  export const SYSTEMS: readonly Named[];
}
