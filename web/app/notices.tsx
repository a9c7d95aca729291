/** What went wrong with the page itself: files and links that could not be opened, an engine that died. */
import { endEngine, engineFault, engineState, perform } from '../engine/client.ts';
import { linkNote } from './address.ts';
import { openFault } from './files.ts';
import { Button } from './parts/button.tsx';
import { Problem } from './parts/problem.tsx';

function Engine() {
  if (engineState.value === 'starting') return null;
  if (engineState.value === 'ready') return null;
  return (
    <div class="problem" role="alert">
      <p>The engine ended: {engineFault.value}.</p>
      <p>
        <Button
          onClick={() => {
            perform((engine) => engine.ping()).catch((error: unknown) => {
              endEngine(String(error));
            });
          }}
        >
          Start it again
        </Button>
      </p>
    </div>
  );
}

export function Notices() {
  return (
    <div class="notices">
      <Engine />
      {openFault.value !== undefined && <Problem error={openFault.value} />}
      {linkNote.value !== '' && <p class="problem">{linkNote.value}</p>}
    </div>
  );
}
