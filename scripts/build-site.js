/**
 * Builds the documentation as a static site in dist/site: docs, scenarios with exact results, the reference of the
 * library, and the web app in dist/page if it was built. Needs `npm run build`.
 *
 *     npm run build:site -- --url https://example.org/warpool/   # URL of the site; also WARPOOL_SITE_URL
 *     npm run build:site -- --base /warpool/                     # only its path (default: /)
 *
 * Link previews in chats need absolute URLs of images.
 */
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { apiPages } from '../site/api.js';
import { commandPages } from '../site/commands.js';
import { gather, PAGES } from '../site/gather.js';
import { writeHome } from '../site/home.js';
import { placeOf } from '../site/meta.js';
import { FILES } from '../site/pages.js';
import { exampleFiles, shippedScenarios } from '../site/scenarios.js';
import { checkSite } from './check-links.js';
import { enterRoot } from './files.js';
import { writeOdds } from './odds.js';

enterRoot();
const { values } = parseArgs({ options: { base: { type: 'string' }, url: { type: 'string' } } });
const { base, site } = placeOf(values.base, values.url ?? process.env['WARPOOL_SITE_URL']);
if (site === undefined) delete process.env['WARPOOL_SITE_URL'];
// The configuration of VitePress reads it there.
else process.env['WARPOOL_SITE_URL'] = site;

const SITE = 'dist/site';

for (const folder of [PAGES, SITE]) rmSync(folder, { recursive: true, force: true });
mkdirSync(`${PAGES}/.vitepress/theme`, { recursive: true });
// VitePress expects these files next to the pages and writes its own files there, so nothing is written outside of
// dist/.
writeFileSync(`${PAGES}/.vitepress/config.js`, "export { default } from '../../../site/config.js';\n");
writeFileSync(`${PAGES}/.vitepress/theme/index.js`, "export { default } from '../../../../site/theme/index.js';\n");

for (const file of await writeOdds()) process.stderr.write(`${file} had outdated odds\n`);
await apiPages();
await commandPages();
await writeHome();
const scenarios = await shippedScenarios();
writeFileSync(`${PAGES}/scenarios.json`, JSON.stringify(scenarios));
const examples = await exampleFiles();
gather(FILES, new Set([...scenarios.map(({ source }) => source), ...examples]));

await build(PAGES, { base });

if (existsSync('dist/page/index.html')) cpSync('dist/page', `${SITE}/page`, { recursive: true });
else process.stderr.write('dist/page is missing: the site has no link to the web app\n');

if (site === undefined)
  process.stderr.write(
    'no --url and no WARPOOL_SITE_URL: link previews have relative URLs, which most chats do not support\n',
  );

const { pages, links, faults } = checkSite(SITE, base, site);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stdout.write(`${pages} pages, ${links} links, ${faults.length} faults: ${SITE}\n`);
if (faults.length > 0) process.exitCode = 1;
