/** Commands that open scenarios as environments for agents. */
import type { Command } from 'commander';
import { catchSignals } from '../interrupt.ts';
import type { ManifestOptions } from '../manifest.ts';
import * as option from '../options.ts';
import * as rollout from '../options-rollout.ts';
import type { RolloutOptions } from '../rollout.ts';
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
  for (const each of rollout.environment()) command.addOption(each);
  command
    .addHelpText('after', examples('manifest scenarios/phased-dice-ground.yaml --agents all --out duel.json'))
    .action(async (files: string[], options: ManifestOptions) =>
      (await import('../manifest.ts')).manifest(files, options),
    );
}

const ROLLOUT_NOTES = `
Environment e plays battle e of the run in its first episode, e + 2^21 in its second. With one
episode under the policy of the scenario the digest is that of "warpool run" with as many battles.`;

function addRollout(to: Command): void {
  const command = to
    .command('rollout')
    .summary('play episodes of environments by a policy')
    .description('Plays scenarios decision by decision in many environments, and tells how the episodes ended.')
    .argument('<scenario...>', SCENARIO)
    .addOption(rollout.envs())
    .addOption(rollout.episodes())
    .addOption(rollout.policy())
    .addOption(option.seed());
  for (const each of rollout.environment()) command.addOption(each);
  command
    .addOption(option.json())
    .addHelpText(
      'after',
      examples(
        'rollout scenarios/phased-dice-ground.yaml',
        'rollout scenarios/phased-dice-ground.yaml --policy uniform --agents all --envs 16384',
      ),
    )
    .addHelpText('after', ROLLOUT_NOTES)
    .action(async (files: string[], options: RolloutOptions) => {
      const signals = catchSignals();
      const { rollout: play } = await import('../rollout.ts');
      await play(files, options, signals);
    });
}

/** Adds them to the program. */
export function addEnvironments(to: Command): void {
  for (const add of [addRollout, addManifest]) add(to);
}
