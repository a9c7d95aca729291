/** What the gate starts as a process of its own. */
import { perform } from '../bench/gate/sample.ts';

const task = process.env['WARPOOL_TASK'];
if (task === undefined) throw new Error('there is no task: this is started by warpool bench');
const ratios = await perform(task);
// Whose instructions are counted has nobody to send to.
process.send?.(ratios);
