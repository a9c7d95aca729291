/** The page as static files: dist/page. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { hotStyles } from './build/dev.ts';
import { embedPage } from './build/embed.ts';
import { help } from './build/help.ts';
import { kernelFiles } from './build/kernels.ts';
import { licenses } from './build/licenses.ts';
import { offline } from './build/offline.ts';
import { remSizes } from './build/rem.ts';
import { scenarioList } from './build/scenarios.ts';
import { sizes } from './build/sizes.ts';
import { systemFile } from './build/system.ts';
import { systemsByName } from './build/systems.ts';
import { template } from './build/template.ts';
import { noWidths } from './build/widths.ts';

const SHARED =
  /[\\/]node_modules[\\/](?:@?preact|comlink)[\\/]|[\\/]src[\\/]tell[\\/]link[\\/]|[\\/]src[\\/]core[\\/]errors|[\\/]web[\\/](?:engine[\\/](?:client|live|errors)|app[\\/](?:files|state|parts[\\/](?:problem|button|copyable|table|elapsed)))\.tsx?$|preload-helper/;

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: { conditions: ['source', 'browser', 'module', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The server knows one list of plugins, for the page and its workers.
  plugins: [
    ...[kernelFiles(), noWidths(), systemFile(), ...systemsByName(), scenarioList()],
    ...[template(), remSizes(), help(), embedPage(), licenses(true), offline(), sizes(), hotStyles()],
  ],
  worker: {
    format: 'es',
    plugins: () => [kernelFiles(), noWidths(), systemFile(), ...systemsByName(), licenses(false)],
    // The worker's own script holds nothing that others import: it has two addresses, and each would have its own copy.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'engine', test: /[\\/]web[\\/]engine[\\/]engine\.ts$/ }] } },
    },
  },
  build: {
    outDir: fileURLToPath(new URL('../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page allows no data: address where code or kernels are loaded from.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What every panel shares with the page itself is one file: cut into a dozen it is larger over the wire.
      output: { codeSplitting: { groups: [{ name: 'client', test: SHARED }] } },
      onLog(level, log, tell) {
        if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
        tell(level, log);
      },
    },
  },
});
