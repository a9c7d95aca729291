/** What the page does beside its answers: loaded after the first one is under way. */
import { effect, signal } from '@preact/signals';
import '../style/later.css';
import type { Module } from '../engine/own.ts';
import { forget, offer, take, watchDrafts } from './drafts.ts';
import { instead, more } from './notices.tsx';
import { keepOffline, newer } from './offline.ts';
import { Opened } from './opened.tsx';
import { brought, readClaim, runLinked, settle, watchRules } from './own/linked.ts';
import { fault, opening, stopOpening } from './own/module.ts';
import { Button } from './parts/button.tsx';
import { scrollIntoView, useLostFocus } from './parts/focus.ts';
import { Problem } from './parts/problem.tsx';
import { starting } from './state.ts';

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

const isRead = signal(false);

/** All that is shown of a link with rules until somebody runs or leaves them. */
function Brought({ module }: { readonly module: Module }) {
  const main = useLostFocus();
  const about = readClaim(module, 'about');
  return (
    <main class="start" ref={main} tabIndex={-1}>
      <div class="problem" role="alert">
        <h2>{readClaim(module, 'title') ?? module.file}</h2>
        {about !== undefined && <p>{about}</p>}
        <p>
          This link brings rules of its own, <strong>{module.file}</strong>: code that somebody wrote, which the
          scenario needs. Nothing of it has run. Run only rules that you trust.
        </p>
        <p class="saves">
          <Button main disabled={opening.value} onClick={() => void runLinked(module)}>
            {opening.value ? 'Starting …' : 'Run the rules'}
          </Button>
          <Button
            aria-expanded={isRead.value}
            onClick={() => {
              isRead.value = !isRead.value;
            }}
          >
            Read the rules
          </Button>
          <Button
            onClick={() => {
              stopOpening();
              settle(module);
            }}
          >
            Leave them
          </Button>
        </p>
      </div>
      {fault.value !== undefined && <Problem error={fault.value} />}
      {isRead.value && (
        <pre class="code" ref={scrollIntoView}>
          {module.text}
        </pre>
      )}
    </main>
  );
}

function Notices() {
  return (
    <>
      <Opened />
      {instead.value === undefined && <Offer />}
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
  effect(() => {
    const module = brought.value;
    instead.value = module && !starting.value ? <Brought module={module} /> : undefined;
  });
  keepOffline();
}
