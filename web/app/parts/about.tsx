/** Links to help and manuals, and the version. */
import type { ComponentChildren } from 'preact';
import { version } from '../../../src/core/index.ts';

/** Link to a manual next to the page. */
export function Manual({ page, children }: { readonly page: string; readonly children: ComponentChildren }) {
  return (
    <a href={`./help/${page}.html`} target="_blank" rel="noopener">
      {children}
    </a>
  );
}

/** First Tab stop: skips header and editor. */
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

/** Footer of the page. */
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
