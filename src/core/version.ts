/** Version of the package, as in package.json: a bundle has no such file. */
export const VERSION = '0.2.0';

export function version(): string {
  return VERSION;
}
