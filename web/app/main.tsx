/** Entry point of the web app. */
import { effect } from '@preact/signals';
import { render } from 'preact';
import '../style/base.css';
import '../style/parts.css';
import '../style/figures.css';
import '../style/layout.css';
import '../style/print.css';
import { openAddress, watchAddress } from './address.ts';
import { watchQuestion } from './answering.ts';
import { watchText } from './checking.ts';
import { Editor } from './editor/index.tsx';
import { watchHistory } from './editor/text-history.ts';
import { watchDrops } from './files.ts';
import { Header } from './header.tsx';
import { Lazy } from './lazy.tsx';
import { Notices, replacementView } from './notices.tsx';
import { PanelView } from './panel-view.tsx';
import { PANELS } from './panels.ts';
import { About, Skip } from './parts/about.tsx';
import { useLostFocus } from './parts/focus.ts';
import { Tabs } from './parts/tabs.tsx';
import { title, watchFile } from './scenarios.ts';
import { Dock } from './start/dock.tsx';
import { isStartShown, notes, panel, RULES_NOTE } from './state.ts';

function showPanel(id: string): void {
  panel.value = id;
}

const loadStart = async () => (await import('./start/start.tsx')).Start;

/** Scenario editor and panels. */
function Workspace() {
  const main = useLostFocus();
  return (
    <main class="work" ref={main} tabIndex={-1}>
      <section class="side" aria-label="Scenario">
        <Editor />
      </section>
      <Tabs label="Panels" tabs={PANELS} shown={panel.value} onShow={showPanel}>
        <PanelView />
      </Tabs>
      <Dock />
    </main>
  );
}

function Page() {
  return (
    <>
      {replacementView.value === undefined && <Skip />}
      <Header />
      <Notices />
      {replacementView.value ??
        (isStartShown.value ? (
          <Lazy key="start" load={loadStart}>
            <main />
          </Lazy>
        ) : (
          <Workspace />
        ))}
      <About />
    </>
  );
}

async function start(root: HTMLElement): Promise<void> {
  const linked = await openAddress();
  // Module of "warpool app --systems".
  const own = document.querySelector<HTMLMetaElement>('meta[name="warpool-module"]')?.content;
  if (own !== undefined) await (await import('./custom/module.ts')).openServedModule(own, !linked);
  isStartShown.value = !linked && own === undefined;
  if (isStartShown.value) (await import('./start/start.tsx')).startAnswering();
  watchHistory();
  watchFile();
  watchText();
  watchQuestion();
  watchAddress();
  watchDrops(document);
  effect(() => {
    document.title = isStartShown.value ? 'warpool' : `${title.value.replace(/\.(ya?ml|json)$/, '')} · warpool`;
  });
  // The page answers without it, too.
  const later = import('./deferred.tsx').then(({ startDeferred }) => {
    startDeferred(!linked);
  }, String);
  // Show no scenario with linked rules before the reader accepts them.
  if (RULES_NOTE in notes.value) await later;
  root.textContent = '';
  render(<Page />, root);
}

const root = document.getElementById('page');
/** True for embed.html and `?embed`: the page shows only the answer, for frames of other pages. */
const isEmbedded = document.body.classList.contains('embed') || new URLSearchParams(location.search).has('embed');
if (root !== null)
  void (isEmbedded
    ? import('./embed/embedded-page.tsx').then(({ showEmbedded }) => {
        showEmbedded(root);
      })
    : start(root));
