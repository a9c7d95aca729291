/** Runs modules of users. */
export async function importModule(url: string): Promise<unknown> {
  return await import(/* webpackIgnore: true */ /* @vite-ignore */ url);
}
