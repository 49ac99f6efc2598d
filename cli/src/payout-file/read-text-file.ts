import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';

/** Holds 100,000 of the longest lines that can be valid. */
const FILE_BYTES_MAX = 128 * 1024 * 1024;

const SAVE_AS_CSV = 'Open it there, choose "Save as" and "CSV UTF-8", and pay that file.';
const NOT_UTF8 = 'The file is not UTF-8. Save it as "CSV UTF-8".';

/** First bytes of files that people give instead of CSV. */
const OTHER_FORMATS: readonly Readonly<{ opening: readonly number[]; reason: string }>[] = [
  {
    opening: [0xd0, 0xcf, 0x11, 0xe0],
    reason: `This is an old Excel file, or one with a password. ${SAVE_AS_CSV}`,
  },
  { opening: [0x25, 0x50, 0x44, 0x46], reason: 'This is a PDF file, not CSV.' },
  { opening: [0xff, 0xfe], reason: NOT_UTF8 },
  { opening: [0xfe, 0xff], reason: NOT_UTF8 },
];

/** The file cannot be read as text at all. */
export class UnreadableFile extends Error {}

/** The whole file. */
export async function readFileBytes(path: string): Promise<Buffer> {
  return readBytes(path).catch((error: unknown) => {
    throw explain(error);
  });
}

/** The whole text; a byte order mark stays in it. */
export function decodeText(bytes: Buffer): string {
  const other = OTHER_FORMATS.find(({ opening }) => opening.every((byte, n) => bytes[n] === byte));
  if (other !== undefined) throw new UnreadableFile(other.reason);
  if (!isUtf8(bytes)) throw new UnreadableFile(NOT_UTF8);
  return bytes.toString('utf8');
}

async function readBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size > FILE_BYTES_MAX) {
      throw new UnreadableFile(`The file is larger than ${FILE_BYTES_MAX} bytes. Split it.`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return new UnreadableFile('There is no such file.');
  if (code === 'EACCES') return new UnreadableFile('You may not read the file.');
  if (code === 'EISDIR') return new UnreadableFile('That is a folder, not a file.');
  return error;
}
