import { type FileHandle, open } from 'node:fs/promises';

export type Journal<Line> = Readonly<{
  /** Resolves when the line is written. */
  write(line: Line): Promise<void>;
  close(): Promise<void>;
}>;

/**
 * A file of JSON lines. After `write` resolves, the line survives a crash; unless it is not to be flushed, because the
 * disk would take more time than what is measured.
 */
export async function openJournal<Line>(
  path: string,
  { isFlushed = true }: Readonly<{ isFlushed?: boolean }> = {},
): Promise<Journal<Line>> {
  const file = await open(path, 'wx');
  let last = Promise.resolve();
  return {
    write(line) {
      last = append(file, last, { text: `${JSON.stringify(line)}\n`, isFlushed });
      return last;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

async function append(
  file: FileHandle,
  earlier: Promise<void>,
  { text, isFlushed }: Readonly<{ text: string; isFlushed: boolean }>,
): Promise<void> {
  await earlier;
  await file.appendFile(text);
  if (isFlushed) await file.datasync();
}
