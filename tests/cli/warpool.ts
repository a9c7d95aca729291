/** Runs of the built command line. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const MAIN = join(ROOT, 'bin/warpool.js');

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type When = number | ((stderr: string) => boolean);

export interface Circumstances {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Signals to send in order, each after further milliseconds or once the condition on standard error holds. */
  readonly signals?: readonly (readonly [signal: NodeJS.Signals, when: When])[];
  /** Whether the reader closes standard output at once. */
  readonly deaf?: boolean;
  /** Path of another build of the command line. */
  readonly main?: string;
  /** Working folder of the program. */
  readonly cwd?: string;
}

const LOOK_EVERY = 5;

/** Milliseconds until a program is killed, longer than any test waits. Concurrent tests have no common cleanup. */
const LONGEST = 70_000;

/** Waits until the condition holds or the program has ended. */
async function until(when: When, stderr: () => string, over: () => boolean): Promise<void> {
  if (typeof when === 'number') await setTimeout(when, undefined, { ref: false });
  else while (!over() && !when(stderr())) await setTimeout(LOOK_EVERY);
}

export async function warpool(args: readonly string[], circumstances: Circumstances = {}): Promise<Said> {
  const { stdin = '', env = {}, signals = [], deaf = false, main = MAIN, cwd } = circumstances;
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...process.env, ...env },
    timeout: LONGEST,
    killSignal: 'SIGKILL',
  });
  const code = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  let reported = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    reported += chunk;
  });
  const stdout = deaf ? '' : text(child.stdout);
  if (deaf) child.stdout.destroy();
  child.stdin.on('error', () => undefined).end(stdin);
  const over = (): boolean => child.exitCode !== null || child.signalCode !== null;
  void (async () => {
    for (const [signal, when] of signals) {
      await until(when, () => reported, over);
      child.kill(signal);
    }
  })();
  return { code: await code, stdout: await stdout, stderr: reported };
}

/** Delays before the signal, in milliseconds. */
const WAITS = [250, 500, 1000, 2000, 4000, 8000, 16_000];

/**
 * Runs a program and interrupts its work by a signal. The time to start depends on the machine and cannot be observed.
 * If the signal came too early, the function runs the program again with a longer delay.
 * @param atWork returns whether the program had started its work, from its output
 */
export async function interrupted(
  args: readonly string[],
  atWork: (printed: Said) => boolean,
  signal: NodeJS.Signals = 'SIGINT',
): Promise<Said> {
  let printed: Said = { code: 0, stdout: '', stderr: '' };
  for (const wait of WAITS) {
    printed = await warpool(args, { signals: [[signal, wait]] });
    if (atWork(printed)) break;
  }
  return printed;
}

const folder = mkdtempSync(join(tmpdir(), 'warpool-'));

/** Writes a file with this content; returns its path. */
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

/** Scenario that is too large for an exact answer. */
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
