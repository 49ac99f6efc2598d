import { AsyncResource } from 'node:async_hooks';
import { describe } from 'node:test';

/**
 * Runs test files one after the other in this process, each in a suite of its own: hooks outside of a suite, such
 * as the one that drops the file's database, then run for their file alone.
 *
 * A file's tests belong to the suite in whose asynchronous context the file is loaded. Two files that load at the
 * same time could wait for the same module and both go on in the context of one of them, so they load in turns.
 */
export function shareProcess(urls: readonly string[]): void {
  let loaded: Promise<unknown> = Promise.resolve();
  for (const url of urls) {
    void describe(nameOf(url), () => {
      const load = AsyncResource.bind(() => import(url));
      const loading = loaded.then(() => load());
      loaded = loading.catch(() => undefined);
      return loading;
    });
  }
}

function nameOf(url: string): string {
  const root = new URL('..', import.meta.url).href;
  return url.startsWith(root) ? url.slice(root.length) : url;
}
