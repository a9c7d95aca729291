/** `warpool manifest` */

import { checkOutput, writeText } from '../core/node.ts';
import { createManifest } from '../environments/index.ts';
import { type OptionSpecs, type ParsedOptions, text } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { ENVIRONMENT, openEnvSpec } from './environment-options.ts';
import type { RegistryOptions } from './registry.ts';
import { printJson, printStatus } from './terminal.ts';

const OPTIONS = {
  out: text('file', 'write to this file instead of standard output'),
  ...ENVIRONMENT,
} as const satisfies OptionSpecs;

type ManifestCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

/**
 * Writes the environment of some scenario files as JSON, to standard output or a file.
 * @throws InputError for invalid files or options
 * @throws RunError if the file cannot be written
 */
export async function writeManifest(
  files: readonly string[],
  { out, ...flags }: ManifestCommandOptions,
): Promise<void> {
  if (out !== undefined) await checkOutput(out, '--out', [...files, ...(flags.systems ?? [])]);
  const made = createManifest(await openEnvSpec(files, flags));
  if (out === undefined) {
    printJson(made);
    return;
  }
  await writeText(out, `${JSON.stringify(made)}\n`);
  printStatus(
    `${out}: ${made.system}, ${String(made.actions.length)} actions, ${String(made.observations.length)} features`,
  );
}

export const command: CommandDeclaration = {
  description:
    'Writes the environment of scenarios as one JSON object: kernel, configuration, names, units and bounds.',
  parameters: [SCENARIO],
  settings: OPTIONS,
  notes: [formatExamples('manifest scenarios/phased-dice-ground.yaml --agents all --out duel.json')],
  action: (files: string[], options: ManifestCommandOptions) => writeManifest(files, options),
};
