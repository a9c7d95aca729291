/** Commands that vary a scenario and see what follows. */
import type { Command } from 'commander';
import { catchSignals } from '../interrupt.ts';
import * as option from '../options.ts';
import * as study from '../options-study.ts';
import type { SensitivityOptions } from '../sensitivity.ts';
import { examples, SCENARIO } from './words.ts';

const SENSITIVITY_NOTES = `
step    what one step up or down of each field does, the rest as it is
morris  which fields of a space matter, and which act alike everywhere in it
sobol   how much of the variance over a space each field explains
Answers are exact where that is cheap; elsewhere cells play the same battles.`;

/** Adds it to the program. */
export function addSensitivity(to: Command): void {
  to.command('sensitivity')
    .summary('what an outcome or a metric reacts to, ranked')
    .description('Varies the numeric fields of a scenario and ranks them by what that does to an outcome or a metric.')
    .argument('<scenario>', SCENARIO)
    .addOption(option.set())
    .addOption(study.method())
    .addOption(option.of())
    .addOption(study.fields())
    .addOption(study.steps())
    .addOption(study.percent())
    .addOption(study.space())
    .addOption(study.trajectories())
    .addOption(study.levels())
    .addOption(study.points())
    .addOption(study.battlesOfCell())
    .addOption(study.exactness())
    .addOption(option.besideBudget())
    .addOption(option.seed())
    .addOption(study.figure())
    .addOption(option.page())
    .addOption(option.json())
    .addHelpText('after', SENSITIVITY_NOTES)
    .addHelpText(
      'after',
      examples(
        'sensitivity scenarios/phased-dice-ground.yaml --fields attacker,unitTypes.knight.bonus=0',
        'sensitivity scenarios/attrition-direct.yaml --method sobol --space attacker.hp=10..40 defender.attack=0..4',
      ),
    )
    .action(async (file: string, options: SensitivityOptions) => {
      const signals = catchSignals();
      const { sensitivity } = await import('../sensitivity.ts');
      await sensitivity(file, options, signals);
    });
}
