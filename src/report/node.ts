/** What other modules may use of tell in Node alone. */

export { createQueueJson, formatQueueSheet } from './cluster/queue.ts';
export { renderPng, renderSvg } from './figures/render.ts';
export type { PageOrigin } from './html/commands/command-page.ts';
export { renderSweepReport } from './html/sweep-report.ts';
