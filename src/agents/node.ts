/** What other modules may use of agents in Node alone. */

export { Offer } from './protocol/offer.ts';
export { serveClient } from './protocol/server.ts';
export { type PlayerSetup, type SessionSetup, serve, type WatchSetup } from './threads/thread.ts';
