/** Browsers say themselves where a module fails; nobody can look further. */
export const shownPlace = (): string | undefined => undefined;

export const syntaxFault = (): Promise<string | undefined> => Promise.resolve(undefined);

export const commonJsCure = (): string | undefined => undefined;

export const isLost = (): boolean => false;
