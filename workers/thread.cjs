/**
 * Entry module of Piscina's threads; it imports the file of each task. Piscina would require that file before importing
 * it, and Node 20 aborts the process if a thread is terminated while it requires an ES module.
 */

/** @param {{ file: string, name: string, task: unknown }} job the module, its export, and the argument */
exports.perform = async ({ file, name, task }) => {
  const module = await import(file);
  return await module[name](task);
};
