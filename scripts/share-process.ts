import { after, it } from 'node:test';

type Close = () => Promise<void>;

/** What files of this process leave open for each other; undefined: there is one file only. */
let leftOpen: Close[] | undefined;

/**
 * Runs test files one after the other in this process, each in a test of its own: hooks outside of a suite, such as
 * the one that drops the file's database, then run for their file alone. A file is loaded when its turn comes, so
 * that the databases and services of others do not stay open beside it.
 */
export function shareProcess(urls: readonly string[]): void {
  const open: Close[] = [];
  leftOpen = open;
  after(async () => {
    for (const close of open.toReversed()) await close();
  });
  for (const url of urls) void it(nameOf(url), async () => void (await import(url)));
}

/** Closes it after the last file of this process; at once where no other file can follow. */
export async function closeAfterLastFile(close: Close): Promise<void> {
  if (leftOpen === undefined) await close();
  else leftOpen.push(close);
}

function nameOf(url: string): string {
  const root = new URL('..', import.meta.url).href;
  return url.startsWith(root) ? url.slice(root.length) : url;
}
