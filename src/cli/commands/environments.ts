/** Commands that open scenarios as environments for agents. */
import type { Command } from 'commander';
import type { ManifestOptions } from '../manifest.ts';
import * as rollout from '../options-rollout.ts';
import { examples, SCENARIO } from './words.ts';

function addManifest(to: Command): void {
  const command = to
    .command('manifest')
    .summary('write scenarios as an environment for other languages')
    .description(
      'Writes the environment of scenarios as one JSON text: kernel, configuration, names, units and bounds.',
    )
    .argument('<scenario...>', SCENARIO)
    .option('--out <file>', 'write to a file, not to standard output');
  for (const option of rollout.environment()) command.addOption(option);
  command
    .addHelpText('after', examples('manifest scenarios/phased-dice-ground.yaml --agents all --out duel.json'))
    .action(async (files: string[], options: ManifestOptions) =>
      (await import('../manifest.ts')).manifest(files, options),
    );
}

/** Adds them to the program. */
export function addEnvironments(to: Command): void {
  for (const add of [addManifest]) add(to);
}
