import { createReadStream } from 'node:fs';

/** Holds 100,000 of the longest lines that can be valid. */
const FILE_BYTES_MAX = 128 * 1024 * 1024;

/** The file cannot be read as text at all. */
export class UnreadableFile extends Error {}

/** The text of the file piece by piece; a byte order mark stays in it. */
export async function* decodeFile(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      if (!(chunk instanceof Uint8Array)) throw new Error('a file gave no bytes');
      bytes += chunk.length;
      if (bytes > FILE_BYTES_MAX) {
        throw new UnreadableFile(`The file is larger than ${FILE_BYTES_MAX} bytes. Split it.`);
      }
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw explain(error);
  }
}

function explain(error: unknown): unknown {
  if (error instanceof TypeError) {
    return new UnreadableFile('The file is not UTF-8. Save it as "CSV UTF-8".');
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return new UnreadableFile('There is no such file.');
  if (code === 'EACCES') return new UnreadableFile('The file may not be read by you.');
  if (code === 'EISDIR') return new UnreadableFile('That is a folder, not a file.');
  return error;
}
