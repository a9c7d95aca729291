/** Copies the DejaVu fonts of figures, with their license, to dist/fonts/. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { enterRoot } from './files.js';

enterRoot();

const require = createRequire(import.meta.url);
const source = dirname(require.resolve('dejavu-fonts-ttf/package.json'));

mkdirSync('dist/fonts', { recursive: true });
for (const file of ['ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf', 'LICENSE'])
  copyFileSync(join(source, file), join('dist/fonts', file.replace('ttf/', '')));
