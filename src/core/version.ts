/** The version of the package, that of package.json: a bundle has no such file beside it. */
export const VERSION = '0.2.0';

export function version(): string {
  return VERSION;
}
