/** Notices about the page itself: files and links that failed to open, a stopped engine. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { endEngine, engineFault, engineSilence, engineState, perform } from '../engine/client.ts';
import { Button } from './parts/button.tsx';

/** Seconds without a response of custom code until a notice is shown. */
const SILENCE_NOTICE_SECONDS = 3;

function SilenceNotice() {
  if (engineSilence.value < SILENCE_NOTICE_SECONDS) return null;
  return (
    <div class="problem" role="alert">
      <p>Your module has not responded for several seconds. It may be in an infinite loop.</p>
      <p>
        <Button
          onClick={() => {
            endEngine('your module did not respond and was stopped');
          }}
        >
          Stop module
        </Button>
      </p>
    </div>
  );
}

function EngineNotice() {
  if (engineState.value !== 'dead') return null;
  return (
    <div class="problem" role="alert">
      <p>The engine stopped: {engineFault.value}.</p>
      <p>
        <Button
          onClick={() => {
            perform((engine) => engine.ping()).catch((error: unknown) => {
              endEngine(String(error));
            });
          }}
        >
          Restart engine
        </Button>
      </p>
    </div>
  );
}

/** Notices of the deferred features. */
export const deferredNotices = signal<ComponentChildren>(undefined);

/** View that replaces the scenario and its answers. */
export const replacementView = signal<ComponentChildren>(undefined);

export function Notices() {
  return (
    <div class="notices">
      <SilenceNotice />
      <EngineNotice />
      {deferredNotices.value}
    </div>
  );
}
