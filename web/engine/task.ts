/** Work of the engine that can be ended: every long function takes the number of its task. */
const tasks = new Map<number, AbortController>();

function controllerOf(task: number): AbortController {
  const known = tasks.get(task) ?? new AbortController();
  tasks.set(task, known);
  return known;
}

/** The signal of a task. */
export const signalOf = (task: number): AbortSignal => controllerOf(task).signal;

export const task = {
  /** Answers as soon as the engine is there. */
  ping(): true {
    return true;
  },
  /** Ends a task, begun or not; what it has so far is given back. */
  stop(number: number): void {
    controllerOf(number).abort();
  },
  /** Forgets a task that is over. */
  over(number: number): void {
    tasks.delete(number);
  },
};
