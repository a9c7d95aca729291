/** Copies of this build, to test comparisons of builds. */
import { appendFile, cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { shipped } from './gate/benchmark.ts';

const PARTS = ['package.json', 'bench/gate', 'scenarios', 'dist/gate', 'dist/kernels/release', 'dist/threads'];

/** Custom section without meaning, because V8 would share the memory of equal bytes. */
const SECTION = Uint8Array.of(0, 5, 4, ...new TextEncoder().encode('copy'));

/** Player that simulates fewer battles than it counts. */
const faster = (by: number): string => `import { compiled, playerOf as opened } from './counted.js';
export { compiled };
export function playerOf(module, entry) {
  const play = opened(module, entry);
  return (battles) => play(Math.round(battles / ${String(by)}));
}
`;

/** Copies all files of this build that the gate measures into a folder. */
export async function copyBuild(folder: string): Promise<void> {
  const root = resolve(dirname(shipped('#gate/yardstick.wasm')), '../..');
  for (const part of PARTS) {
    await mkdir(dirname(join(folder, part)), { recursive: true });
    await cp(join(root, part), join(folder, part), { recursive: true });
  }
}

/** Changes the bytes of the kernels of a copy, but not their code. */
export async function changeBytes(folder: string): Promise<void> {
  const kernels = join(folder, 'dist/kernels/release');
  for (const name of await readdir(kernels)) {
    if (name.endsWith('.wasm')) await appendFile(join(kernels, name), SECTION);
  }
}

/** Makes a copy seem faster by a factor. */
export async function hasten(folder: string, by: number): Promise<void> {
  const players = join(folder, 'dist/gate');
  await rename(join(players, 'player.js'), join(players, 'counted.js'));
  await writeFile(join(players, 'player.js'), faster(by));
}
