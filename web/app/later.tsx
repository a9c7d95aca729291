/** What the page does beside its answers: loaded after the first one is under way. */
import '../style/later.css';
import { forget, offer, take, watchDrafts } from './drafts.ts';
import { more } from './notices.tsx';
import { keepOffline, newer } from './offline.ts';
import { Opened } from './opened.tsx';
import { brought, leave, lookAt, watchRules } from './own/linked.ts';
import { Button } from './parts/button.tsx';
import { panel } from './state.ts';

function Offer() {
  const draft = offer.value;
  if (draft === undefined) return null;
  const when = new Date(draft.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <p class="problem" role="status">
      You edited {draft.file} ({when}), and this browser has kept the text.{' '}
      <Button
        onClick={() => {
          take(draft);
        }}
      >
        Open it
      </Button>{' '}
      <Button
        onClick={() => {
          forget(draft);
        }}
      >
        Forget it
      </Button>
    </p>
  );
}

function Brought() {
  const module = brought.value;
  if (module === undefined || panel.value === 'own') return null;
  return (
    <div class="problem" role="alert">
      <p>
        This link brings rules of its own, <strong>{module.file}</strong>: code that somebody wrote, which the scenario
        needs. Nothing of it has run.
      </p>
      <p>
        <Button
          main
          onClick={() => {
            lookAt(module);
          }}
        >
          Read the rules
        </Button>{' '}
        <Button
          onClick={() => {
            leave(module);
          }}
        >
          Leave them
        </Button>
      </p>
    </div>
  );
}

function Notices() {
  return (
    <>
      <Opened />
      <Brought />
      <Offer />
      {newer.value && (
        <p class="problem" role="status">
          A newer version of this page is ready. It is used once all tabs with this one are closed.
        </p>
      )}
    </>
  );
}

/** @param plain the address asks nothing */
export function begin(plain: boolean): void {
  more.value = <Notices />;
  watchDrafts(plain);
  watchRules();
  keepOffline();
}
