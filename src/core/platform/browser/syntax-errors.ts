/** Browsers say themselves where a module fails; nobody can look further. */
export const findShownPosition = (): string | undefined => undefined;

export const findSyntaxError = (): Promise<string | undefined> => Promise.resolve(undefined);

export const adviseCommonJs = (): string | undefined => undefined;

export const isMissingImport = (): boolean => false;
