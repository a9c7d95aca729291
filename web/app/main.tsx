/** The page. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import '../style/base.css';
import '../style/parts.css';
import '../style/figures.css';
import '../style/layout.css';
import { openAddress, watchAddress } from './address.ts';
import { watchQuestion } from './answering.ts';
import { watchText } from './checking.ts';
import { PlainEditor, settled } from './editor/plain.tsx';
import { watchDrops } from './files.ts';
import { Header } from './header.tsx';
import { Lazy } from './lazy.tsx';
import { Notices } from './notices.tsx';
import { PANELS } from './panels.ts';
import { Tabs } from './parts/tabs.tsx';
import { openShipped, watchFile } from './scenarios.ts';
import { Shown } from './shown.tsx';
import { file, panel } from './state.ts';

function show(id: string): void {
  panel.value = id;
}

/** After the first answer is under way. */
const loadEditor = async () => {
  const { Editor } = await import('./editor/index.tsx');
  await settled();
  return Editor;
};

function Page() {
  return (
    <>
      <Header />
      <Notices />
      <main>
        <section class="side" aria-label="Scenario">
          <Lazy load={loadEditor} stays>
            <PlainEditor />
          </Lazy>
        </section>
        <Tabs label="What to ask" tabs={PANELS} shown={panel.value} onShow={show}>
          <Shown />
        </Tabs>
      </main>
    </>
  );
}

const FIRST = 'attrition-direct';

async function begin(root: HTMLElement): Promise<void> {
  const linked = await openAddress();
  // What "warpool page --systems" was given.
  const own = document.querySelector<HTMLMetaElement>('meta[name="warpool-module"]')?.content;
  if (!linked) await openShipped(FIRST);
  if (own !== undefined) await (await import('./own/module.ts')).openServed(own, !linked);
  watchFile();
  watchText();
  watchQuestion();
  watchAddress();
  watchDrops(document);
  effect(() => {
    document.title = `${file.value.replace(/\.(ya?ml|json)$/, '')} · warpool`;
  });
  root.textContent = '';
  render(<Page />, root);
  // Without it the page answers as well.
  import('./later.tsx').then(({ begin: beginLater }) => {
    beginLater(!linked);
  }, String);
}

const root = document.getElementById('page');
/** Under the name embed.html, or with `?embed`, it is put into a page of others: the answer alone. */
const isEmbedded = document.body.classList.contains('embed') || new URLSearchParams(location.search).has('embed');
if (root !== null)
  void (isEmbedded
    ? import('./embed/show.tsx').then(({ show: embed }) => {
        embed(root);
      })
    : begin(root));
