/** Share button; the dialog is loaded when it is pressed. */
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { Button } from '../parts/button.tsx';
import { validScenario } from '../state.ts';

const isOpen = signal(false);

type ShareDialogComponent = ComponentType<{ readonly onClose: () => void }>;

const dialog = signal<ShareDialogComponent | undefined>(undefined);

async function openDialog(): Promise<void> {
  dialog.value ??= (await import('./dialog.tsx')).ShareDialog;
  isOpen.value = true;
}

export function Share() {
  const Dialog = dialog.value;
  return (
    <>
      <Button
        disabled={validScenario.value === undefined}
        aria-haspopup="dialog"
        onClick={() => void openDialog().catch(() => undefined)}
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
