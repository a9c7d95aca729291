import { readdirSync } from 'node:fs';

/** Names of the shipped scenarios of a system. */
export function shipped(id: string): string[] {
  return readdirSync('scenarios').filter((file) => file.startsWith(`${id}-`) && file.endsWith('.yaml'));
}
