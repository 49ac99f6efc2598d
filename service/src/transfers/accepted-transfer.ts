import type { Transfer } from '../domain/transfer.ts';

/** A transfer that is to be stored, with what only its first row needs. */
export type AcceptedTransfer = Readonly<{
  transfer: Transfer;
  idempotencyKey: string | null;
  /** When somebody may act on it: the end of the lease, or the time to leave the queue. */
  nextActionInMs: number;
  actor: string;
}>;
