import { once } from 'node:events';
import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

/** One member of a zip archive. `size` and `checksum` are those of its content, `packedSize` is that of its bytes. */
type Member = Readonly<{
  name: string;
  packedSize: number;
  checksum: number;
  size: number;
  /** Its head was written before its sizes were known: they stand behind its bytes. */
  isDescribedBehind: boolean;
}>;

/**
 * A longer member is written before it is complete, so that little of it is in memory. A shorter one has its sizes in its
 * head, which every program can read.
 */
const COMPLETE_BYTES_MAX = 256 * 1_024;

/**
 * Writes an archive in parts: short members, then a long one whose content comes in pieces. The part is empty where a
 * piece makes no output yet.
 */
export async function* writeZip(
  shortMembers: readonly (readonly [name: string, text: string])[],
  { name, pieces }: Readonly<{ name: string; pieces: AsyncIterable<string> }>,
): AsyncGenerator<Buffer, undefined> {
  const ready: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [shortName, text] of shortMembers) {
    const { member, bytes } = pack(shortName, text);
    const head = localHead(member);
    ready.push(head, bytes);
    directory.push(centralHead(member, offset));
    offset += head.length + bytes.length;
  }
  const content = new Deflater();
  let isDescribedBehind = false;
  try {
    for await (const piece of pieces) {
      await content.add(piece);
      if (!isDescribedBehind && content.packedSize > COMPLETE_BYTES_MAX) {
        isDescribedBehind = true;
        ready.push(localHead({ name, packedSize: 0, checksum: 0, size: 0, isDescribedBehind }));
      }
      if (isDescribedBehind) ready.push(...content.take());
      yield isDescribedBehind ? Buffer.concat(ready.splice(0)) : EMPTY;
    }
    await content.end();
    const { packedSize, checksum, size } = content;
    const member = { name, packedSize, checksum, size, isDescribedBehind };
    const head = localHead(member);
    const descriptor = isDescribedBehind ? descriptorOf(member) : EMPTY;
    ready.push(isDescribedBehind ? EMPTY : head, ...content.take(), descriptor);
    directory.push(centralHead(member, offset));
    offset += head.length + packedSize + descriptor.length;
    yield Buffer.concat([...ready, ...directory, endOf(directory, offset)]);
  } finally {
    content.close();
  }
}

const EMPTY = Buffer.alloc(0);

function pack(name: string, text: string): Readonly<{ member: Member; bytes: Buffer }> {
  const content = Buffer.from(text);
  const bytes = deflateRawSync(content);
  const checksum = crc32(content);
  const sizes = { packedSize: bytes.length, checksum, size: content.length };
  return { member: { name, ...sizes, isDescribedBehind: false }, bytes };
}

/** Compresses texts one after the other. */
class Deflater {
  readonly #stream = createDeflateRaw();
  readonly #compressed: Buffer[] = [];
  packedSize = 0;
  checksum = 0;
  size = 0;

  constructor() {
    this.#stream.on('data', (bytes: Buffer) => {
      this.#compressed.push(bytes);
      this.packedSize += bytes.length;
    });
  }

  async add(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.checksum = crc32(bytes, this.checksum);
    this.size += bytes.length;
    if (!this.#stream.write(bytes)) await once(this.#stream, 'drain');
  }

  async end(): Promise<void> {
    const ended = once(this.#stream, 'end');
    this.#stream.end();
    await ended;
  }

  /** What was compressed since the last call. */
  take(): readonly Buffer[] {
    return this.#compressed.splice(0);
  }

  close(): void {
    this.#stream.destroy();
  }
}

const LOCAL_SIGNATURE = 0x04034b50;
const DESCRIPTOR_SIGNATURE = 0x08074b50;
const CENTRAL_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const ZIP_VERSION = 20;
const DESCRIBED_BEHIND_FLAG = 8;
const DEFLATED = 8;
/** 1 January 1980: the same results make the same bytes. */
const DOS_DATE = 0x21;

function localHead(member: Member): Buffer {
  const head = Buffer.alloc(30);
  head.writeUInt32LE(LOCAL_SIGNATURE, 0);
  head.writeUInt16LE(ZIP_VERSION, 4);
  return withDescription(head, 6, member);
}

function centralHead(member: Member, offset: number): Buffer {
  const head = Buffer.alloc(46);
  head.writeUInt32LE(CENTRAL_SIGNATURE, 0);
  head.writeUInt16LE(ZIP_VERSION, 4);
  head.writeUInt16LE(ZIP_VERSION, 6);
  head.writeUInt32LE(offset, 42);
  return withDescription(head, 8, member);
}

/** What both heads of a member have in the same order, from the flags on, and the name behind the head. */
function withDescription(head: Buffer, at: number, member: Member): Buffer {
  const name = Buffer.from(member.name);
  head.writeUInt16LE(member.isDescribedBehind ? DESCRIBED_BEHIND_FLAG : 0, at);
  head.writeUInt16LE(DEFLATED, at + 2);
  head.writeUInt16LE(DOS_DATE, at + 6);
  writeSizes(head, at + 8, member);
  head.writeUInt16LE(name.length, at + 20);
  return Buffer.concat([head, name]);
}

function descriptorOf(member: Member): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(DESCRIPTOR_SIGNATURE, 0);
  writeSizes(descriptor, 4, member);
  return descriptor;
}

function writeSizes(target: Buffer, at: number, member: Member): void {
  target.writeUInt32LE(member.checksum, at);
  target.writeUInt32LE(member.packedSize, at + 4);
  target.writeUInt32LE(member.size, at + 8);
}

function endOf(directory: readonly Buffer[], offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}
