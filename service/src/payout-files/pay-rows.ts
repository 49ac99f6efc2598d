import { type Actor, actorCode } from '../domain/actor.ts';
import { toMetadata } from '../domain/metadata.ts';
import { Refusal } from '../domain/refusal.ts';
import { REFUSALS } from '../domain/refusal-codes.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { Database } from '../postgres/database.ts';
import { failpoint } from '../telemetry/failpoint.ts';
import {
  type InitiateDeps,
  type Initiated,
  type InitiateRequest,
  initiateTransfers,
} from '../transfers/accept/initiate-transfer.ts';
import { type RowOutcome, recordRows } from './record-rows.ts';
import type { SubmittedFile } from './submitted-file.ts';
import { type TakenRow, takeRows } from './take-rows.ts';

/** Rows that join the commit queue at once: a fifth of a group, so that single payouts of the book pass between. */
const BATCH_ROWS = 200;

export type PayRowsDeps = Readonly<{
  database: Database;
  initiate: InitiateDeps;
  leaseOwner: string;
  now: () => Date;
}>;

/** What one batch did. */
export type Batch = Readonly<{ taken: number; decided: number }>;

/**
 * Pays the next rows of a file: takes them, makes their transfers, and records what became of each. It may be killed
 * between any two steps, and two processes may do it at once: a row that was paid before is found by its reference.
 */
export async function payRows(deps: PayRowsDeps, file: SubmittedFile): Promise<Batch> {
  const { database, leaseOwner } = deps;
  const rows = await takeRows(database, { file, leaseOwner, max: BATCH_ROWS });
  if (rows.length === 0) return { taken: 0, decided: 0 };
  failpoint('file-rows-taken');
  const results = await initiateTransfers(
    deps.initiate,
    rows.map((row) => requestOf(file, row)),
  );
  failpoint('file-rows-paid');
  const outcomes = rows.flatMap((row, index) => outcomeOf(file, row, results[index]));
  await recordRows(database, { file, outcomes, at: deps.now() });
  failpoint('file-rows-recorded');
  return { taken: rows.length, decided: outcomes.length };
}

function requestOf(file: SubmittedFile, row: TakenRow): InitiateRequest {
  const { book, id: fileId, source, maker } = file;
  return {
    book,
    actor: actorCode(actorOf(file)),
    command: {
      reference: row.reference,
      idempotencyKey: null,
      amountMinor: row.amountMinor,
      phone: row.phone,
      operator: row.operator,
      country: row.country,
      currency: file.currency,
      walletId: file.walletId,
      narration: row.narration,
      recipientName: row.recipientName,
      metadata: metadataOf(file, row),
      sendAt: null,
    },
    origin: {
      source,
      madeBy: maker.personId,
      fileId,
      replaces: row.replaces,
      preApproved: file.isApproved ? (file.approvalsNeeded ?? []) : [],
    },
    nameMatch: row.nameMatch,
    feeMinor: row.feeMinor,
  };
}

/** The merchant's own reference, where it is not the transfer's. */
function metadataOf({ references }: SubmittedFile, { givenReference }: TakenRow) {
  if (references === 'given' || givenReference === null) return null;
  return toMetadata([['reference', givenReference]]);
}

function actorOf({ maker: { personId, keyId }, source }: SubmittedFile): Actor {
  if (personId !== null) return { kind: 'person', id: personId, name: '' };
  if (keyId !== null) return { kind: 'key', id: keyId };
  return { kind: 'system', part: source };
}

/** Nothing: it is not known whether there is a transfer, or the service could not take it now. It is tried again. */
function outcomeOf(
  file: SubmittedFile,
  row: TakenRow,
  result: PromiseSettledResult<Initiated> | undefined,
): readonly RowOutcome[] {
  const { number, reference } = row;
  const key = { number, reference };
  if (result?.status === 'fulfilled') {
    return [{ ...key, transferId: result.value.transfer.id, code: null, detail: null }];
  }
  const refusal: unknown = result?.reason;
  if (!(refusal instanceof Refusal) || REFUSALS[refusal.code].retryable) return [];
  const earlier = ownTransfer(file, refusal);
  if (earlier !== undefined) return [{ ...key, transferId: earlier.id, code: null, detail: null }];
  if (isAlreadySent(file, refusal)) {
    return [{ ...key, transferId: null, code: ALREADY_SENT, detail: ALREADY_SENT_DETAIL }];
  }
  return [{ ...key, transferId: null, code: refusal.code, detail: refusal.message }];
}

/** Another file, or a single call, paid exactly this under the row's own reference. */
function isAlreadySent({ references }: SubmittedFile, { code, detail }: Refusal): boolean {
  return (
    references === 'given' && code === 'DUPLICATE_REFERENCE' && detail.data?.samePayload === true
  );
}

const ALREADY_SENT = 'ALREADY_SENT';
const ALREADY_SENT_DETAIL =
  'A transfer with this reference and the same content exists. This row pays nothing more.';

/** The transfer that the row became before; undefined: another order has its reference. */
function ownTransfer(file: SubmittedFile, { code, detail }: Refusal): Transfer | undefined {
  if (code !== 'DUPLICATE_REFERENCE') return undefined;
  const transfer = detail.data?.transfer as Transfer;
  return transfer.fileId === file.id ? transfer : undefined;
}
