/** What commands write when they are run in this process. */
import { vi } from 'vitest';

export const written = { out: '', err: '' };

/** From now on both streams are written down, from nothing on; `vi.restoreAllMocks` ends it. */
export function catchWriting(): void {
  for (const [stream, name] of [
    [process.stdout, 'out'],
    [process.stderr, 'err'],
  ] as const) {
    written[name] = '';
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
  }
}
