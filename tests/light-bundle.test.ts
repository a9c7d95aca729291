/** Bundles of one system for browsers: size limits, and the same results as in Node. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { simulate, solveSync, validateScenario } from '../src/index.ts';
import { shippedSystems } from '../src/rules/index.ts';
import { DEPTH } from './depth.ts';

type Library = typeof import('../src/portable.ts');

/** Limits of bytes that a page with `solve` loads at start, minified and without kernels: attrition, other systems. */
const LIMITS = [200_000, 243_000];

/** Creates a folder inside the package, so that imports of warpool resolve to the package itself. */
function createFolder(): string {
  const folder = mkdtempSync('dist/light-test-');
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

/** Bundles a module. @returns its path, and the contents of the files of the bundle */
async function bundle(code: string): Promise<{ path: string; outputs: Metafile['outputs'] }> {
  const folder = createFolder();
  writeFileSync(join(folder, 'page.js'), code);
  const { metafile } = await build({
    entryPoints: [join(folder, 'page.js')],
    outdir: join(folder, 'out'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    metafile: true,
    logLevel: 'error',
  });
  return { path: join(folder, 'out/page.js'), outputs: metafile.outputs };
}

/** Bundles a module and runs it. */
const load = async (code: string): Promise<unknown> => import(pathToFileURL((await bundle(code)).path).href);

/** Sums the sizes of the files that a page loads before it runs. */
function measureInitial({ path, outputs }: Awaited<ReturnType<typeof bundle>>): number {
  const loaded = new Set<string>([path]);
  for (const file of loaded)
    for (const { kind, path: to } of outputs[file]?.imports ?? []) if (kind === 'import-statement') loaded.add(to);
  return [...loaded].reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
}

/** Size of the kernels of a system and of those that all systems use. */
const measureKernels = (id: string): number =>
  [id, 'automaton', 'chain', 'network', 'rounds', 'sampled'].reduce(
    (sum, name) => sum + statSync(`dist/kernels/embedded/${name}.js`).size,
    0,
  );

test.each(DEPTH === 1 ? shippedSystems.slice(0, 1) : shippedSystems)(
  'a bundle of $id is below its size limit, and returns the same results as Node',
  async ({ id, examples, schema }) => {
    const page = await bundle(`import { solve } from 'warpool/systems/${id}'; globalThis.solve = solve;`);
    const bytes = measureInitial(page) - measureKernels(id);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(LIMITS[id === 'attrition' ? 0 : 1] ?? 0);
    const library = (await load(`export * from 'warpool/systems/${id}';`)) as Library;
    expect(library.shippedSystems.map((system) => system.id)).toEqual([id]);
    expect(() => library.validateScenario({ system: 'other' })).toThrow(`expected one of ${id}, `);
    const here = schema.toJSONSchema({ io: 'input' });
    expect(library.shippedSystems[0]?.schema.toJSONSchema({ io: 'input' })).toEqual(here);
    expect(library.shippedSystems[0]?.schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })).toEqual(here);
    for (const { scenario: written } of examples.slice(0, 1)) {
      const [here, there] = [validateScenario(written), library.validateScenario(written)];
      expect(there).toEqual(here);
      const options = { battles: 1000, seed: 1, workers: 1 };
      expect((await library.simulate(there, options)).digest).toBe((await simulate(here, options)).digest);
      expect(library.solveSync(there).summary).toEqual(solveSync(here).summary);
    }
  },
);

test.runIf(DEPTH > 1)('entry points of systems can be combined, and warpool/light accepts custom systems', async () => {
  const two = (await load(`import 'warpool/systems/cube-bag'; export * from 'warpool/systems/attrition';`)) as Library;
  expect(two.shippedSystems.map(({ id }) => id).sort()).toEqual(['attrition', 'cube-bag']);
  const { game, ...custom } = (await load(
    `export * from 'warpool/light'; export { default as game } from 'warpool/examples/games/conquest-dice.mjs';`,
  )) as Library & { game: never };
  const text = readFileSync('examples/games/conquest-dice-raid.yaml', 'utf8');
  const scenario = custom.parseScenario(text, { systems: [game] });
  const { outcomes } = custom.solveSync(scenario).summary;
  expect(outcomes.map(({ p }) => p).reduce((sum, p) => sum + p)).toBeCloseTo(1, 9);
});
