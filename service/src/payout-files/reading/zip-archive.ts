import { createInflateRaw } from 'node:zlib';
import { FileUnreadable } from './file-unreadable.ts';
import { UNPACKED_BYTES_MAX, ZIP_ENTRIES_MAX } from './table-limits.ts';

/**
 * Reads ZIP archives by hand, because only a few entries are wanted, and what they take is judged by the directory before
 * a byte is unpacked and again while it is. Node.js has inflate itself. Neither ZIP64 nor encryption occurs in workbooks
 * of this size without a password.
 */

const END_SIGNATURE = 0x06054b50;
const END_LENGTH = 22;
const COMMENT_LENGTH_MAX = 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;
const CHUNK_BYTES = 64 * 1_024;

type ZipEntry = Readonly<{
  method: number;
  packedBytes: number;
  unpackedBytes: number;
  offset: number;
}>;

const broken = (): FileUnreadable => new FileUnreadable('BROKEN');

export class ZipArchive {
  readonly #bytes: Buffer;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  #unpackedBytes = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#entries = readDirectory(bytes);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Unpacks an entry piece by piece. All that is unpacked together has a bound. */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw broken();
    // Refused by what the directory says, before anything is unpacked.
    if (this.#unpackedBytes + entry.unpackedBytes > UNPACKED_BYTES_MAX) {
      throw new FileUnreadable('EXPANDS_TOO_MUCH');
    }
    let left = entry.unpackedBytes;
    for await (const piece of unpack(this.#packed(entry), entry.method)) {
      left -= piece.length;
      this.#unpackedBytes += piece.length;
      // The directory said less than there is: made to look small.
      if (left < 0) throw new FileUnreadable('EXPANDS_TOO_MUCH');
      yield piece;
    }
  }

  #packed({ offset, packedBytes }: ZipEntry): Buffer {
    const bytes = this.#bytes;
    if (offset + LOCAL_LENGTH > bytes.length) throw broken();
    if (bytes.readUInt32LE(offset) !== LOCAL_SIGNATURE) throw broken();
    const nameBytes = bytes.readUInt16LE(offset + 26);
    const extraBytes = bytes.readUInt16LE(offset + 28);
    const start = offset + LOCAL_LENGTH + nameBytes + extraBytes;
    if (start + packedBytes > bytes.length) throw broken();
    return bytes.subarray(start, start + packedBytes);
  }
}

async function* unpack(packed: Buffer, method: number): AsyncGenerator<Buffer> {
  if (method === STORED) {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES) {
      yield packed.subarray(at, at + CHUNK_BYTES);
    }
    return;
  }
  if (method !== DEFLATED) throw broken();
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  inflate.end(packed);
  try {
    for await (const piece of inflate) yield piece as Buffer;
  } catch (error) {
    if (error instanceof FileUnreadable) throw error;
    throw broken();
  } finally {
    inflate.destroy();
  }
}

function readDirectory(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > ZIP_ENTRIES_MAX) throw new FileUnreadable('EXPANDS_TOO_MUCH');
  const entries = new Map<string, ZipEntry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_LENGTH > end || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw broken();
    if ((bytes.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0) throw new FileUnreadable('OLD_EXCEL');
    const nameBytes = bytes.readUInt16LE(at + 28);
    const furtherBytes = bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    const nameAt = at + ENTRY_LENGTH;
    const name = bytes.toString('utf8', nameAt, nameAt + nameBytes);
    entries.set(name, {
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      unpackedBytes: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at = nameAt + nameBytes + furtherBytes;
  }
  return entries;
}

/** The end of the directory is at the end of the file, before a comment that is nearly always empty. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_LENGTH - COMMENT_LENGTH_MAX);
  for (let at = bytes.length - END_LENGTH; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw broken();
}
