/** Worker of the engine: it runs all computations, so that the page never blocks. */
import { expose } from 'comlink';
import { engine } from './engine.ts';
import { installErrorTransfer } from './errors.ts';

installErrorTransfer();
expose(engine);
