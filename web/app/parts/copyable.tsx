import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Milliseconds for which a button says that it has copied. */
const COPIED_MILLISECONDS = 2000;

/** A line of code with a button that copies it. */
export function Copyable({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Pages that are not loaded safely have no clipboard: then the text is selected by hand.
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => {
      setCopied(false);
    }, COPIED_MILLISECONDS);
  };
  return (
    <div class="copyable">
      <pre class="code">{text}</pre>
      {'clipboard' in navigator && (
        <Button aria-label={`Copy: ${text}`} onClick={() => void copy().catch(() => undefined)}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </div>
  );
}
