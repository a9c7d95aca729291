/** Declares Comlink's adapter for Node, which has no type entry. */
declare module 'comlink/dist/esm/node-adapter.mjs' {
  import type { MessagePort, Worker } from 'node:worker_threads';
  import type { Endpoint } from 'comlink';

  const nodeEndpoint: (thread: MessagePort | Worker) => Endpoint;

  export { nodeEndpoint as default };
}
