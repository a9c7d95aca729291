/** Commands that open scenarios as environments for agents. */
import type { Command } from 'commander';
import { catchSignals } from '../interrupt.ts';
import type { ManifestOptions } from '../manifest.ts';
import * as option from '../options.ts';
import * as rollout from '../options-rollout.ts';
import type { RolloutOptions } from '../rollout.ts';
import type { ServeOptions } from '../serve-rollouts.ts';
import { examples, SCENARIO } from './words.ts';

const SERVE_NOTES = `
Every client has environments of its own: the same seed gives each the same battles.
Standard output has replies and nothing else. The end of standard input ends the program;
at a socket it listens until a signal comes. docs/rollout-protocol.md describes the frames,
examples/rollout-client.py is a client in Python.`;

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

function addServeRollouts(to: Command): void {
  const command = to
    .command('serve-rollouts')
    .summary('serve environments to programs in other languages')
    .description(
      'Serves the environment of scenarios by frames of bytes, over standard input and output or a Unix socket.',
    )
    .argument('<scenario...>', SCENARIO)
    .addOption(rollout.envs())
    .addOption(option.seed())
    .option('--socket <path>', 'listen at a Unix socket, for any number of clients');
  for (const each of rollout.environment()) command.addOption(each);
  command
    .addHelpText(
      'after',
      examples(
        'serve-rollouts scenarios/attrition-direct.yaml --envs 64',
        'serve-rollouts scenarios/phased-dice-*.yaml --agents all --socket /tmp/warpool.sock',
      ),
    )
    .addHelpText('after', SERVE_NOTES)
    .action(async (files: string[], options: ServeOptions) => {
      const signals = catchSignals();
      const { serveRollouts } = await import('../serve-rollouts.ts');
      await serveRollouts(files, options, signals);
    });
}

/** Adds them to the program. */
export function addEnvironments(to: Command): void {
  for (const add of [addRollout, addManifest, addServeRollouts]) add(to);
}
