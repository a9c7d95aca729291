/** Browsers report the position of an error themselves. */
export const findShownPosition = (): string | undefined => undefined;

export const findSyntaxError = (): Promise<string | undefined> => Promise.resolve(undefined);

export const adviseCommonJs = (): string | undefined => undefined;

export const isMissingImport = (): boolean => false;
