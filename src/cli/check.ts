/** `warpool check` */
import { clean } from '../report/clean.ts';
import type { Scenario } from '../systems/system.ts';
import { Ended, failed } from './failure.ts';
import { open, type Setting } from './source.ts';
import { look, print, say } from './terminal.ts';

function described(scenario: Scenario): string {
  const mode = 'mode' in scenario ? [String(scenario.mode)] : [];
  const name = scenario.name === undefined ? [] : [clean(scenario.name)];
  return [scenario.system, ...mode, ...name].join(', ');
}

/** Tells for each file that it is ok, or on standard error what is wrong with it. */
export async function check(files: readonly string[], setting: Setting = {}): Promise<void> {
  let refused = 0;
  for (const file of files) {
    try {
      const { scenario } = await open(file, setting, files.length > 1 ? `${file} --set` : '--set');
      print(`${clean(file)}: ${look(process.stdout).paint.green('ok')} (${described(scenario)})\n`);
    } catch (error) {
      const { code, message } = failed(error);
      if (code !== 2) throw error;
      say(message);
      refused++;
    }
  }
  if (refused > 0)
    throw new Ended(2, files.length > 1 ? `${String(refused)} of ${String(files.length)} files refused` : '');
}
