import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NamedBehaviour } from '../kernel/operator-backend.ts';
import type { PayoutDetails } from './payout-details.ts';

/** A payout that was accepted while its provider was delayed. No money has moved for it. */
export type EnqueuedPayout = Readonly<{
  payoutId: string;
  phoneNumber: string;
  amountMinor: bigint;
  currency: string;
  details: PayoutDetails;
  /** Its behaviour once it leaves the queue. */
  behaviour: NamedBehaviour;
}>;

export type EnqueuedPayouts = Readonly<{
  /** Resolves when it is on disk. It can be found at once. */
  add(payout: EnqueuedPayout): Promise<void>;
  find(payoutId: string): EnqueuedPayout | undefined;
  /** In the order of their arrival. */
  all(): readonly EnqueuedPayout[];
  /** The sum of all enqueued amounts in that currency. */
  reservedMinor(currency: string): bigint;
  /** The payout was submitted to the backend. Nothing is written, because the backend's journal records it. */
  remove(payoutId: string): void;
  close(): Promise<void>;
}>;

/**
 * The queue of an account, kept in an append-only file. A payout that left the queue is in the backend's
 * journal too, so a restart finds it in both and removes it here.
 */
export async function openEnqueuedPayouts(path: string): Promise<EnqueuedPayouts> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a');
  const payouts = new Map<string, EnqueuedPayout>();
  const reserved = new Map<string, bigint>();
  let lastWrite: Promise<void> = Promise.resolve();

  const reserve = (currency: string, amountMinor: bigint): void => {
    reserved.set(currency, (reserved.get(currency) ?? 0n) + amountMinor);
  };
  const keep = (payout: EnqueuedPayout): void => {
    payouts.set(payout.payoutId, payout);
    reserve(payout.currency, payout.amountMinor);
  };
  for (const payout of await readWholeLines(path, file)) keep(payout);

  const write = async (earlier: Promise<void>, line: string): Promise<void> => {
    await earlier;
    await file.appendFile(line);
    await file.datasync();
  };
  return {
    add(payout) {
      keep(payout);
      lastWrite = write(lastWrite, `${writeLine(payout)}\n`);
      return lastWrite;
    },
    find: (payoutId) => payouts.get(payoutId),
    all: () => [...payouts.values()],
    reservedMinor: (currency) => reserved.get(currency) ?? 0n,
    remove(payoutId) {
      const payout = payouts.get(payoutId);
      if (payout === undefined) return;
      payouts.delete(payoutId);
      reserve(payout.currency, -payout.amountMinor);
    },
    async close() {
      await lastWrite.catch(() => undefined);
      await file.close();
    },
  };
}

/** Cuts off a last line that a kill left incomplete; it was never acknowledged. */
async function readWholeLines(path: string, file: FileHandle): Promise<readonly EnqueuedPayout[]> {
  const bytes = await readFile(path);
  const lengthBytes = bytes.lastIndexOf('\n') + 1;
  await file.truncate(lengthBytes);
  const lines = bytes.toString('utf8', 0, lengthBytes).split('\n');
  return lines.filter((line) => line !== '').map(readLine);
}

type StoredPayout = Omit<EnqueuedPayout, 'amountMinor'> & Readonly<{ amountMinor: string }>;

function writeLine(payout: EnqueuedPayout): string {
  return JSON.stringify({ ...payout, amountMinor: String(payout.amountMinor) });
}

/** This program is the only writer, so every complete line is a payout. */
function readLine(line: string): EnqueuedPayout {
  const stored: StoredPayout = JSON.parse(line);
  return { ...stored, amountMinor: BigInt(stored.amountMinor) };
}
