/** `warpool manifest` */

import { manifestOf } from '../agents/index.ts';
import { checkOutput, writeText } from '../core/node.ts';
import { type Given, type Settings, text } from '../rules/setting.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { ENVIRONMENT, openConfiguration } from './environment.ts';
import type { Known } from './registry.ts';
import { printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  out: text('file', 'write to a file, not to standard output'),
  ...ENVIRONMENT,
} as const satisfies Settings;

type ManifestOptions = Given<typeof ASKED> & Known;

/**
 * Writes the environment of some scenario files as JSON, to standard output or a file.
 * @throws InputError on whatever is wrong with files or options
 * @throws RunError if the file cannot be written
 */
export async function manifest(files: readonly string[], { out, ...flags }: ManifestOptions): Promise<void> {
  if (out !== undefined) await checkOutput(out, '--out', [...files, ...(flags.systems ?? [])]);
  const made = manifestOf(await openConfiguration(files, flags));
  if (out === undefined) {
    printJson(made);
    return;
  }
  await writeText(out, `${JSON.stringify(made)}\n`);
  say(`${out}: ${made.system}, ${String(made.actions.length)} actions, ${String(made.observations.length)} features`);
}

export const command: DeclaredCommand = {
  description: 'Writes the environment of scenarios as one JSON text: kernel, configuration, names, units and bounds.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [examples('manifest scenarios/phased-dice-ground.yaml --agents all --out duel.json')],
  action: (files: string[], options: ManifestOptions) => manifest(files, options),
};
