/**
 * Copies the page to embed.html, which shows only the answer, for frames of other pages. A server can allow frames only
 * for this name.
 */
import type { Plugin } from 'vite';

const EMBED = 'embed.html';

export function createEmbedPagePlugin(): Plugin {
  return {
    name: 'warpool-embed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') return;
        const html = String(page.source);
        const source = html.replace('<body>', '<body class="embed">');
        if (source === html) this.error('web/index.html has no plain <body>, which embed.html needs');
        this.emitFile({ type: 'asset', fileName: EMBED, source });
      },
    },
  };
}
