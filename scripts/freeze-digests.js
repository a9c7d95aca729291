/**
 * Renews tests/frozen/digests.json, and lists scenarios with changed results. A change of the ruleset changes every
 * digest, because digests contain the ruleset; counts change only with rules. Needs the compiled modules.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { enterRoot } from './files.js';

enterRoot();

const FILE = 'tests/frozen/digests.json';

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

const { loadScenario, simulate } = await compiled('index.js');
const { RULESET, computeCountsDigest } = await compiled('stats/digest.js');

/** @type {{ counts?: Record<string, string> }} */
const before = JSON.parse(readFileSync(FILE, 'utf8'));
/** @type {Record<string, string>} */
const digests = {};
/** @type {Record<string, string>} */
const countDigests = {};
for (const file of readdirSync('scenarios').sort()) {
  const { digest, shape, counts } = await simulate(await loadScenario(`scenarios/${file}`), {
    battles: 20_000,
    seed: 1,
  });
  digests[file] = digest;
  countDigests[file] = computeCountsDigest(shape, counts);
  const known = before.counts?.[file];
  if (known !== countDigests[file]) process.stdout.write(`${known === undefined ? 'new' : 'changed'}: ${file}\n`);
}
writeFileSync(FILE, `${JSON.stringify({ ruleset: RULESET, digests, counts: countDigests }, null, 2)}\n`);
