/** The address of warpool/system as one file: web/build/system.ts. */
declare module '#page/system' {
  export const url: string;
}
