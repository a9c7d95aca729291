/** Opens an address in the user's browser, with the program of the platform. */
import { spawn } from 'node:child_process';

/** No shell is involved: an address is a single argument. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Returns the command that opens addresses on a platform, with its first arguments. */
export const chooseOpener = (platform: NodeJS.Platform): readonly [string, ...string[]] =>
  OPENERS[platform] ?? ['xdg-open'];

/**
 * Opens an address without waiting for the browser to end.
 * @param failed called with the reason if the program cannot be started or fails
 */
export function openInBrowser(
  url: string,
  failed: (why: string) => void,
  [command, ...args]: readonly [string, ...string[]] = chooseOpener(process.platform),
): void {
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', ({ message }) => {
    failed(message);
  });
  child.on('exit', (code) => {
    if (code !== null && code !== 0) failed(`${command} ended with ${String(code)}`);
  });
  child.unref();
}
