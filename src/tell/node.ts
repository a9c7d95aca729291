/** What other modules may use of tell in Node alone. */

export { pageOf } from './page/page.ts';
export type { Subject } from './page/single/answer.ts';
export { pngOf, svgOf } from './pictures/draw.ts';
export { queueJson, queueSheet } from './queue.ts';
