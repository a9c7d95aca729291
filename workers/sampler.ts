/** What the gate starts as a process of its own. */
import { perform } from '../bench/gate/sample.ts';

const task = process.env['WARPOOL_TASK'];
if (task === undefined) throw new Error('no task: warpool bench starts this file');
const ratios = await perform(task);
// Whose instructions are counted has nobody to send to.
process.send?.(ratios);
