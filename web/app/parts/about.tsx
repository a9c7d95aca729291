/** Where there is help, what this is, and which version. */
import type { ComponentChildren } from 'preact';
import { version } from '../../../src/core/index.ts';

/** A link to a manual, which lies beside the page. */
export function Manual({ page, children }: { readonly page: string; readonly children: ComponentChildren }) {
  return (
    <a href={`./help/${page}.html`} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

/** The first stop of Tab: over the head and the editor, to what is answered. */
export function Skip() {
  return (
    <button
      type="button"
      class="button skip"
      onClick={() => {
        document.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
      }}
    >
      Skip to the answer
    </button>
  );
}

/** The small print of the page. */
export function About() {
  return (
    <footer class="about small soft">
      <span>warpool {version()}</span>
      <Manual page="index">Help</Manual>
      <Manual page="how-to/web-app">About this page</Manual>
      <Manual page="reference/glossary">Glossary</Manual>
      <Manual page="reference/tables">Table columns</Manual>
      <Manual page="tutorials/custom-rules">Custom rules</Manual>
      <a href="./THIRD-PARTY.txt" target="_blank" rel="noopener">
        Third-party notices
      </a>
      <span>Nothing that you enter leaves this browser.</span>
    </footer>
  );
}
