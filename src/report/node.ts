/** Public interface of the module, only for Node.js. */

export { checkFile } from './checks/check-file.ts';
export { createQueueJson, formatQueueSheet } from './cluster/queue.ts';
export { loadResvg, renderPng, renderSvg } from './figures/render.ts';
export type { PageOrigin } from './html/commands/command-page.ts';
export { renderSweepReport } from './html/sweep-report.ts';
