/** Opens scenarios from disk and saves them. Files stay in the browser. */
import { signal } from '@preact/signals';
import { InputError } from '../../src/core/index.ts';
import { sanitizeFileName, TEXT_LIMIT } from '../../src/report/index.ts';
import { file, openText, text } from './state.ts';

/** Error of the last file or link; undefined after a successful opening. */
export const openFault = signal<unknown>(undefined);

/** Reads the text of a file. @throws InputError if it is too large or not text */
export async function readFileText(chosen: Blob, name: string): Promise<string> {
  if (chosen.size > TEXT_LIMIT) throw new InputError(name, 'a file of at most 1 MiB', 'a larger file');
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  if (bytes.includes(0)) throw new InputError(name, 'a text file', 'a binary file (it has NUL bytes)');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(name, 'text in UTF-8', 'other bytes');
  }
}

export async function openFile(chosen: File): Promise<void> {
  const name = sanitizeFileName(chosen.name);
  try {
    openText(await readFileText(chosen, name), name);
    openFault.value = undefined;
  } catch (error) {
    openFault.value =
      error instanceof InputError ? error : new InputError(name, 'a readable file', 'an unreadable file');
  }
}

/** Downloads content as a file. */
export function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = sanitizeFileName(name);
  anchor.click();
  // The browser reads the content before the next turn of the event loop.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}

export function saveScenario(): void {
  saveAs(new Blob([text.value], { type: 'application/yaml' }), file.value);
}

/** Opens files that are dropped anywhere on the page. */
export function watchDrops(target: EventTarget): void {
  const handleDragOver = (event: Event): void => {
    const { dataTransfer } = event as DragEvent;
    if (dataTransfer?.types.includes('Files') === true) event.preventDefault();
  };
  target.addEventListener('dragover', handleDragOver);
  target.addEventListener('drop', (event) => {
    const first = (event as DragEvent).dataTransfer?.files[0];
    if (first === undefined || event.defaultPrevented) return;
    event.preventDefault();
    void openFile(first);
  });
}
