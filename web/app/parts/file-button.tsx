import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface FileButtonProps {
  readonly children: ComponentChildren;
  /** Accessible name of the file input. */
  readonly label: string;
  /** Comma-separated file extensions. */
  readonly accept: string;
  readonly onFile: (file: File) => unknown;
}

/** Button that opens a file dialog. */
export function FileButton({ children, label, accept, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>{children}</Button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={({ currentTarget }) => {
          const [first] = currentTarget.files ?? [];
          if (first !== undefined) onFile(first);
          currentTarget.value = '';
        }}
      />
    </>
  );
}
