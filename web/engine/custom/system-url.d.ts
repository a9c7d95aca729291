/** Address of warpool/system as one file: web/build/system.ts. */
declare module 'virtual:system' {
  export const url: string;
  /** Parts that imports add to the hash of a module, by specifier. */
  export const lines: Readonly<Record<string, string>>;
}
