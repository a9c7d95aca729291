/** Allows the inline styles of hot reload in the server of `npm run dev`, which the policy of the page forbids. */
import type { Plugin } from 'vite';

export function createHotStylesPlugin(): Plugin {
  return {
    name: 'warpool-hot-styles',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  };
}
