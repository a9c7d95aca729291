import { existsSync, readFileSync } from 'node:fs';

/** The version of the package, from the package.json nearest above. */
export function version(): string {
  for (let at = new URL('./', import.meta.url); ; ) {
    const file = new URL('package.json', at);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    const above = new URL('../', at);
    if (above.href === at.href) return 'unknown';
    at = above;
  }
}
