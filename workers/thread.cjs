/**
 * What Piscina's threads load first; it imports the file of each task. Piscina would require that file before it imports
 * it, and Node 20 aborts the process when a thread is ended while it requires an ES module.
 */

/** @param {{ file: string, name: string, task: unknown }} job the module, its export, and what that is called with */
exports.perform = async ({ file, name, task }) => {
  const module = await import(file);
  return await module[name](task);
};
