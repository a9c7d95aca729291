/** Whatever in a folder is not as it should be. */
import { RunError } from '../../core/errors.ts';
import { version } from '../../core/version.ts';
import { kernelHash } from '../../engines/kernel/kernel.ts';
import type { Scenario } from '../../rules/system.ts';
import { kernelNames } from './rules.ts';
import type { MadeBy } from './schema.ts';

/** Something that is not as it should be. */
export interface Fault {
  /** The file, or the cell. */
  readonly where: string;
  readonly what: string;
}

/** What an error of a file says, without the file's path: faults say where they are. */
export function faultOf(where: string, error: unknown): Fault {
  if (!(error instanceof RunError)) throw error;
  return { where, what: error.message.replace(/^.* cannot be read: /s, '') };
}

/** Whether the kernels that have played are those of this build. @param where they are told */
export function kernelFaults(
  manifest: Pick<MadeBy, 'kernels' | 'warpool'>,
  scenario: Scenario,
  where: string,
): { faults: Fault[]; notes: string[] } {
  const others = kernelNames(scenario).filter((name) => manifest.kernels[name] !== kernelHash(name));
  if (others.length === 0) return { faults: [], notes: [] };
  const names = others.join(', ');
  if (manifest.warpool === version()) {
    const what = `kernels of another build of warpool ${version()} than this one: ${names}`;
    return { faults: [{ where, what }], notes: [] };
  }
  return {
    faults: [],
    notes: [`made by warpool ${manifest.warpool} with other kernels than those of ${version()}: ${names}`],
  };
}
