/** The address of warpool/system as one file: web/build/system.ts. */
declare module 'virtual:system' {
  export const url: string;
}
