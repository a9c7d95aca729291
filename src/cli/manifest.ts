/** `warpool manifest` */
import { manifestOf } from '../agents/manifest.ts';
import { checkOutput, writeText } from '../core/files/output.ts';
import { openConfiguration } from './environment.ts';
import type { EnvironmentFlags } from './options-rollout.ts';
import { printJson, say } from './terminal.ts';

export interface ManifestOptions extends EnvironmentFlags {
  readonly out?: string;
}

/**
 * Writes the environment of some scenario files as JSON, to standard output or a file.
 * @throws InputError or InputErrors on whatever is wrong with files or options
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
