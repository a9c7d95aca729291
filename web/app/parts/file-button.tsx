import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface FileButtonProps {
  readonly children: ComponentChildren;
  /** What is chosen. */
  readonly label: string;
  /** Endings of names, with commas between them. */
  readonly accept: string;
  readonly onFile: (file: File) => unknown;
}

/** A button that lets the reader choose a file of the disk. */
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
