/** Runs the built command line as a user would. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const MAIN = join(ROOT, 'bin/warpool.js');

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Circumstances {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sent after so many milliseconds each. */
  readonly signals?: readonly (readonly [signal: NodeJS.Signals, after: number])[];
  /** The reader of standard output goes away at once. */
  readonly deaf?: boolean;
  /** Another build of the command line. */
  readonly main?: string;
}

export async function warpool(args: readonly string[], circumstances: Circumstances = {}): Promise<Said> {
  const { stdin = '', env = {}, signals = [], deaf = false, main = MAIN } = circumstances;
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } });
  const code = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  const stderr = text(child.stderr);
  const stdout = deaf ? '' : text(child.stdout);
  if (deaf) child.stdout.destroy();
  child.stdin.on('error', () => undefined).end(stdin);
  const timers = signals.map(([signal, after]) => setTimeout(() => child.kill(signal), after));
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { code: await code, stdout: await stdout, stderr: await stderr };
  for (const timer of timers) clearTimeout(timer);
  return said;
}

const folder = mkdtempSync(join(tmpdir(), 'warpool-'));

/** A file with this content; returns its path. */
export function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

export const DUEL = file(
  'duel.yaml',
  `system: attrition
mode: direct
attacker: { name: Swordsmen, attack: 1, defense: 1, hp: 30 }
defender: { name: Pikemen, attack: 1, defense: 1, hp: 25 }
`,
);

/** Too large for any exact answer. */
export const CROWD = file(
  'crowd.json',
  JSON.stringify({
    system: 'attrition',
    name: 'a crowd',
    mode: 'mass',
    combatants: ['red', 'blue', 'green', 'grey'].map((party) => ({
      name: `${party} army`,
      party,
      attack: 1,
      defense: 1,
      hp: 1000,
    })),
  }),
);
