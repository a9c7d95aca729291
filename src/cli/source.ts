/** Where a scenario comes from. */
import { basename, extname } from 'node:path';
import { loadScenario } from '../scenario/index.ts';
import type { Scenario } from '../systems/system.ts';

export interface Source {
  readonly scenario: Scenario;
  /** What it is called: its own name, or that of its file. */
  readonly name: string;
}

/**
 * @param file `-` reads standard input
 * @throws InputError or InputErrors on whatever is wrong with it
 */
export async function open(file: string): Promise<Source> {
  const scenario = await loadScenario(file);
  return { scenario, name: scenario.name ?? (file === '-' ? 'stdin' : basename(file, extname(file))) };
}
