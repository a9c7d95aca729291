/** Made by web/build/scenarios.ts. */
declare module 'virtual:scenarios' {
  interface ShippedSystem {
    readonly id: string;
    readonly title: string;
    /** What players call games that roll so, the best known first; empty of a system that is no game's. */
    readonly played: readonly string[];
  }

  interface Shipped {
    /** `attrition-direct`: the file without its ending. */
    readonly id: string;
    readonly system: string;
    readonly title: string;
  }

  /** Games first. */
  const SYSTEMS: readonly ShippedSystem[];
  const SCENARIOS: readonly Shipped[];

  export { SCENARIOS, type Shipped, type ShippedSystem, SYSTEMS };
}
