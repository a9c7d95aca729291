/** Build of the web app as static files in dist/page. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { createHotStylesPlugin } from './build/dev.ts';
import { createEmbedPagePlugin } from './build/embed.ts';
import { createHelpPlugin } from './build/help.ts';
import { createKernelFilesPlugin } from './build/kernels.ts';
import { createLicensesPlugin } from './build/licenses.ts';
import { createNoHeapPlugin } from './build/no-heap.ts';
import { createNoWidthsPlugin } from './build/no-widths.ts';
import { createOfflinePlugin } from './build/offline.ts';
import { createRemPlugin } from './build/rem-sizes.ts';
import { createScenarioListPlugin } from './build/scenarios.ts';
import { createSizesPlugin } from './build/sizes.ts';
import { createSystemFilePlugin } from './build/system.ts';
import { createSystemsPlugins } from './build/systems.ts';
import { createTemplatePlugin } from './build/template.ts';

const SHARED =
  /[\\/]node_modules[\\/](?:@?preact|comlink)[\\/]|[\\/]src[\\/]report[\\/]link[\\/]|[\\/]src[\\/]core[\\/]errors|[\\/]web[\\/](?:engine[\\/](?:client|live|errors)|app[\\/](?:files|state|parts[\\/](?:problem|button|copyable|table|elapsed)))\.tsx?$|preload-helper/;

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  resolve: { conditions: ['source', 'browser', 'module', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The development server has one list of plugins for the page and its workers.
  plugins: [
    ...[
      createKernelFilesPlugin(),
      createNoHeapPlugin(),
      createNoWidthsPlugin(),
      createSystemFilePlugin(),
      ...createSystemsPlugins(),
      createScenarioListPlugin(),
    ],
    ...[
      createTemplatePlugin(),
      createRemPlugin(),
      createHelpPlugin(),
      createEmbedPagePlugin(),
      createLicensesPlugin(true),
      createOfflinePlugin(),
      createSizesPlugin(),
      createHotStylesPlugin(),
    ],
  ],
  worker: {
    format: 'es',
    plugins: () => [
      createKernelFilesPlugin(),
      createNoHeapPlugin(),
      createNoWidthsPlugin(),
      createSystemFilePlugin(),
      ...createSystemsPlugins(),
      createLicensesPlugin(false),
    ],
    // The script of the worker exports nothing: it has two addresses, and each would load its own copy.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'engine', test: /[\\/]web[\\/]engine[\\/]engine\.ts$/ }] } },
    },
  },
  build: {
    outDir: fileURLToPath(new URL('../dist/page', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // The policy of the page forbids data: URLs for code and kernels.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // One file for the code that all panels share: several files would be larger when compressed.
      output: { codeSplitting: { groups: [{ name: 'client', test: SHARED }] } },
      onLog(level, log, tell) {
        if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
        tell(level, log);
      },
    },
  },
});
