/** Made by web/build/scenarios.ts. */
declare module 'virtual:scenarios' {
  interface Shipped {
    /** `attrition-direct`: the file without its ending. */
    readonly id: string;
    readonly system: string;
    readonly title: string;
  }

  const SCENARIOS: readonly Shipped[];

  export { SCENARIOS, type Shipped };
}

/** Made by web/build/template.ts. */
declare module 'virtual:template' {
  /** A system of twenty lines. */
  const TEMPLATE: string;

  export { TEMPLATE };
}
