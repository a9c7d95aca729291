/** Threads start in programs that Node reads from standard input or the command line. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { some } from '../depth.ts';

const [library, rollouts, scenario] = [
  'dist/src/index.js',
  'dist/src/environments.js',
  'scenarios/phased-dice-ground.yaml',
].map((path) => pathToFileURL(path).href);

const PROGRAM = `
import { fileURLToPath } from 'node:url';
import { loadScenario, simulate, ThreadPool } from '${library ?? ''}';
import { EnvSession, VectorEnvPool } from '${rollouts ?? ''}';

const scenario = await loadScenario(fileURLToPath('${scenario ?? ''}'));
const session = await EnvSession.create(scenario);
const threads = await VectorEnvPool.create(scenario, { threads: 2 });
const pool = await ThreadPool.create({ workers: 1 });
const steps = [await session.rollout('uniform', { steps: 3 }), threads.rollout('uniform', { steps: 3 })];
const { to } = await simulate(scenario, { battles: 100, pool });
await Promise.all([session.close(), threads.close(), pool.close()]);
console.log(...steps, to);
`;

/** Runs Node and returns its output. @param input content of standard input */
async function printed(flags: readonly string[], input: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(process.execPath, flags, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [out, wrong] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return out.trim() || wrong;
}

test.each(
  some([
    ['standard input', ['--input-type=module'], PROGRAM, {}],
    ['standard input, beside other flags', ['--max-old-space-size=500', '--input-type', 'module', '-'], PROGRAM, {}],
    ['the command line', ['--input-type=module', '--eval', PROGRAM], '', {}],
    ['standard input, the flag in NODE_OPTIONS', ['-'], PROGRAM, { NODE_OPTIONS: '--input-type=module' }],
  ]),
)('a program from %s starts threads', { timeout: 60_000 }, async (_, flags, input, env) => {
  expect(await printed(flags, input, env)).toBe('3 192 100');
});
