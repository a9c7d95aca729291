/** The engine's worker: everything that computes runs here, so that the page never waits. */
import { expose } from 'comlink';
import { engine } from './engine.ts';
import { installErrorTransfer } from './errors.ts';

installErrorTransfer();
expose(engine);
