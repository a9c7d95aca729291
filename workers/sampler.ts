/** Process that the benchmark gate starts. */
import { perform } from '../bench/gate/sample.ts';

const task = process.env['WARPOOL_TASK'];
if (task === undefined) throw new Error('no task: warpool bench starts this file');
const ratios = await perform(task);
// No parent to send to while instructions are counted.
process.send?.(ratios);
