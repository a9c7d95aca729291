import { readdirSync } from 'node:fs';

/** Lists the file names of the shipped scenarios of a system. */
export function shipped(id: string): string[] {
  return readdirSync('scenarios').filter((file) => file.startsWith(`${id}-`) && file.endsWith('.yaml'));
}
