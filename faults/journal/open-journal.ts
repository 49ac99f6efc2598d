import { type FileHandle, open } from 'node:fs/promises';

export type Journal<Line> = Readonly<{
  /** Resolves when the line is on disk. */
  write(line: Line): Promise<void>;
  close(): Promise<void>;
}>;

/** A file of JSON lines. After `write` resolves, the line survives a crash. */
export async function openJournal<Line>(path: string): Promise<Journal<Line>> {
  const file = await open(path, 'wx');
  let last = Promise.resolve();
  return {
    write(line) {
      last = append(file, last, `${JSON.stringify(line)}\n`);
      return last;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

async function append(file: FileHandle, earlier: Promise<void>, text: string): Promise<void> {
  await earlier;
  await file.appendFile(text);
  await file.datasync();
}
