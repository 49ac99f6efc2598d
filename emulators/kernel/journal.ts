import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Behaviour, BookEntry, JsonValue } from './behaviour.ts';

/** A submission reached the operator. The behaviour says whether it was accepted. */
export type AcceptedEntry = Readonly<{
  kind: 'accepted';
  payoutId: string;
  ourReference: string;
  msisdn: string;
  amountMinor: string;
  currency: string;
  extra: Readonly<Record<string, JsonValue>>;
  receivedAt: string;
  pendingMs: number;
  operatorTransactionId: string;
  behaviour: Behaviour;
  behaviourName: string;
}>;
/** A submission was recognised as a duplicate, and nothing was done. */
export type RepeatedEntry = Readonly<{
  kind: 'repeated';
  payoutId: string;
  ourReference: string;
  msisdn: string;
  amountMinor: string;
  currency: string;
  receivedAt: string;
}>;
/** Money moved. Two such lines for one payout are two payments. */
export type ExecutedEntry = Readonly<{ kind: 'executed'; payoutId: string; book: BookEntry }>;
/** The payout's end is visible, and its callbacks were sent or are being sent. */
export type EndedEntry = Readonly<{
  kind: 'ended';
  payoutId: string;
  end: 'paid' | 'failed';
  endedAt: string;
}>;
export type JournalEntry = AcceptedEntry | RepeatedEntry | ExecutedEntry | EndedEntry;

export type Journal = Readonly<{
  /** The entries of earlier runs, in order. */
  earlier: readonly JournalEntry[];
  /** Resolves when all entries are on disk. Concurrent appends share one fsync. */
  append(entries: readonly JournalEntry[]): Promise<void>;
  close(): Promise<void>;
}>;

/** An append-only file of JSON lines. Opening it cuts off a last line that a kill left incomplete. */
export async function openJournal(path: string): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true });
  const { entries, lengthBytes } = readEntries(await readIfThere(path), path);
  const file = await open(path, 'a');
  await file.truncate(lengthBytes);
  await file.sync();
  await syncFolder(dirname(path));
  const append = createGroupedAppend(file);
  return {
    earlier: entries,
    append,
    async close() {
      await append([]).catch(() => undefined);
      await file.close();
    },
  };
}

/** Appends that arrive while an fsync runs are written together by the next one. */
function createGroupedAppend(file: FileHandle): Journal['append'] {
  let gathered = '';
  let next: Promise<void> | null = null;
  let last: Promise<void> = Promise.resolve();

  const writeGathered = async (earlier: Promise<void>): Promise<void> => {
    await earlier;
    const text = gathered;
    gathered = '';
    next = null;
    if (text === '') return;
    await file.appendFile(text);
    await file.datasync();
  };

  return (entries) => {
    for (const entry of entries) gathered += `${JSON.stringify(entry)}\n`;
    // After a failed write every append fails, because an operator without a journal must not pay.
    if (next === null) {
      next = writeGathered(last);
      last = next;
    }
    return next;
  };
}

async function readIfThere(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return Buffer.alloc(0);
    }
    throw error;
  }
}

function readEntries(
  bytes: Buffer,
  path: string,
): Readonly<{ entries: JournalEntry[]; lengthBytes: number }> {
  const entries: JournalEntry[] = [];
  let lengthBytes = 0;
  while (lengthBytes < bytes.length) {
    const newlineAt = bytes.indexOf('\n', lengthBytes);
    if (newlineAt === -1) break;
    const entry = parseEntry(bytes.toString('utf8', lengthBytes, newlineAt));
    if (entry === null) {
      if (newlineAt + 1 === bytes.length) break;
      throw new Error(`${path}: line ${entries.length + 1} is not an entry of this journal`);
    }
    entries.push(entry);
    lengthBytes = newlineAt + 1;
  }
  return { entries, lengthBytes };
}

function parseEntry(line: string): JournalEntry | null {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : null;
  } catch {
    return null;
  }
}

/** This program is the only writer, so checking the kind and the id is enough. */
function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  if (!('payoutId' in value) || typeof value.payoutId !== 'string') return false;
  return ['accepted', 'repeated', 'executed', 'ended'].some((kind) => kind === value.kind);
}

/** A new file is durable only after an fsync of its folder. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
