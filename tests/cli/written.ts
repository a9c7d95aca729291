/** Captured output of commands that run in this process. */
import { vi } from 'vitest';

export const written = { out: '', err: '' };

/** Clears `written` and captures both output streams until `vi.restoreAllMocks`. */
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
