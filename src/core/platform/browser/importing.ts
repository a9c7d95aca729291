/** Runs modules of users. */
export async function imported(url: string): Promise<unknown> {
  return await import(/* webpackIgnore: true */ /* @vite-ignore */ url);
}
