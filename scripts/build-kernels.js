/** Compiles assembly/systems/<id>.ts to dist/kernels/{release,debug}/<id>.wasm. */
import { mkdirSync, readdirSync } from 'node:fs';
import { main } from 'assemblyscript/asc';

const systems = readdirSync('assembly/systems').map((file) => file.replace(/\.ts$/, ''));

for (const build of ['release', 'debug']) {
  mkdirSync(`dist/kernels/${build}`, { recursive: true });
  for (const system of systems) {
    const { error, stderr } = await main([
      `assembly/systems/${system}.ts`,
      '--config',
      'asconfig.json',
      '--target',
      build,
      '--outFile',
      `dist/kernels/${build}/${system}.wasm`,
    ]);
    if (error) {
      process.stderr.write(stderr.toString());
      process.exit(1);
    }
  }
}
