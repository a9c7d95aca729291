/** Starts Firefox, which opens a page that posts its results. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const FIREFOX = process.env['WARPOOL_FIREFOX'] ?? '/usr/bin/firefox-esr';
export const NO_FIREFOX = !existsSync(FIREFOX);

if (NO_FIREFOX)
  process.stderr.write(`\nSKIPPED: ${FIREFOX} is not there, so digests are not compared with Firefox's\n\n`);

/** Opens an address with a new profile. @returns a function that ends Firefox */
export function openFirefox(url: string): () => Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'warpool-firefox-'));
  const firefox = spawn(FIREFOX, ['--headless', '--no-remote', '--profile', profile, url], { stdio: 'ignore' });
  return async () => {
    firefox.kill('SIGKILL');
    await setTimeout(200);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
}
