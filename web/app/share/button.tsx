/** The button that opens what can be sent to others; what it opens is loaded then. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { Button } from '../parts/button.tsx';
import { good } from '../state.ts';

const isOpen = signal(false);

type Dialog = ComponentType<{ readonly onClose: () => void }>;

const dialog = signal<Dialog | undefined>(undefined);

async function open(): Promise<void> {
  dialog.value ??= (await import('./dialog.tsx')).ShareDialog;
  isOpen.value = true;
}

export function Share() {
  const Dialog = dialog.value;
  return (
    <>
      <Button
        disabled={good.value === undefined}
        aria-haspopup="dialog"
        onClick={() => void open().catch(() => undefined)}
      >
        Share
      </Button>
      {isOpen.value && Dialog !== undefined && (
        <Dialog
          onClose={() => {
            isOpen.value = false;
          }}
        />
      )}
    </>
  );
}
