import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** Milliseconds for which the button shows "Copied". */
const COPIED_MILLISECONDS = 2000;

/** Line of code with a copy button. */
export function Copyable({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Insecure pages have no clipboard: then the text is selected by hand.
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
