import { randomUUID } from 'node:crypto';
import {
  deriveOperatorReference,
  FIRST_SUBMISSION,
} from '../../service/src/domain/operator-reference.ts';
import { AMOUNT_MINOR } from '../load/transfer-request.ts';

/** Finished transfers are spread over this many days before the run. */
const HISTORY_DAYS = 60;
const DAY_MS = 86_400_000;
/** From the acceptance of a transfer to its end. */
const TOOK_MS = 1_000;

/** A wallet that was funded and never paid from. */
export type FreshWallet = Readonly<{ bookId: string; id: string; availableMinor: bigint }>;

export type History = Readonly<{
  wallets: readonly FreshWallet[];
  transfersPerWallet: number;
  endsAt: Date;
}>;

type Past = Readonly<{
  wallet: FreshWallet;
  /** The place of the wallet in the list. */
  index: number;
  n: number;
  id: string;
  at: string;
  endedAt: string;
  endedMs: number;
}>;

/** The transfers of all wallets in the order of time, as they would have arrived. */
function* listPast({ wallets, transfersPerWallet, endsAt }: History): Generator<Past> {
  const beganMs = endsAt.getTime() - HISTORY_DAYS * DAY_MS;
  const stepMs = (HISTORY_DAYS * DAY_MS) / (transfersPerWallet + 1);
  for (let n = 1; n <= transfersPerWallet; n += 1) {
    const atMs = Math.floor(beganMs + n * stepMs);
    const at = new Date(atMs).toISOString();
    const endedMs = atMs + TOOK_MS;
    const endedAt = new Date(endedMs).toISOString();
    for (const [index, wallet] of wallets.entries()) {
      yield { wallet, index, n, id: historyId(atMs, index), at, endedAt, endedMs };
    }
  }
}

/** Begins with the time, as the ids of the service do. */
function historyId(atMs: number, index: number): string {
  const time = atMs.toString(16).padStart(12, '0');
  const node = index.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${node}`;
}

export const TRANSFER_COLUMNS =
  'book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone, operator, ' +
  'country, recipient_name, narration, operator_reference, operator_transaction_id, event_seq, ' +
  'created_at, updated_at, completed_at';

export function* transferRows(history: History): Generator<string> {
  for (const { wallet, n, id, at, endedAt } of listPast(history)) {
    const phone = `+260977${String(n % 1_000_000).padStart(6, '0')}`;
    const operatorReference = operatorReferenceOf(wallet, n);
    yield `${wallet.bookId}\t${id}\t${wallet.id}\t${historyReference(n)}\tsucceeded\t${AMOUNT_MINOR}` +
      `\t0\tZMW\t${phone}\tmtn\tzm\tChanda Mwansa\tSalary of November\t${operatorReference}` +
      `\tsandbox-${n}\t2\t${at}\t${endedAt}\t${endedAt}\n`;
  }
}

function historyReference(n: number): string {
  return `history-${n}`;
}

function operatorReferenceOf({ bookId }: FreshWallet, n: number): string {
  const reference = historyReference(n);
  return deriveOperatorReference({ bookId, reference, submission: FIRST_SUBMISSION });
}

export const POSTING_COLUMNS =
  'book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency, transfer_id, ' +
  'available_after_minor, held_after_minor, created_at';

/** The wallet's first posting is its funding. */
export function* postingRows(history: History): Generator<string> {
  for (const { wallet, n, id, at, endedAt } of listPast(history)) {
    const start = `${wallet.bookId}\t${wallet.id}\t`;
    const leftMinor = wallet.availableMinor - BigInt(n) * AMOUNT_MINOR;
    const middle = `\t${AMOUNT_MINOR}\tZMW\t${id}\t${leftMinor}\t`;
    yield `${start}${2 * n}\thold\tavailable\theld${middle}${AMOUNT_MINOR}\t${at}\n` +
      `${start}${2 * n + 1}\tsettle\theld\tclearing:mtn:zm${middle}0\t${endedAt}\n`;
  }
}

export const EVENT_COLUMNS =
  'book_id, subject_id, seq, type, from_state, to_state, cause, actor, created_at';

export function* eventRows(history: History): Generator<string> {
  for (const { wallet, id, at, endedAt } of listPast(history)) {
    const start = `${wallet.bookId}\t${id}\t`;
    yield `${start}1\ttransfer.created\t\\N\tsubmitting\taccepted\tkey of the bench\t${at}\n` +
      `${start}2\ttransfer.successful\tsubmitting\tsucceeded\tthe operator paid\tdispatcher\t${endedAt}\n`;
  }
}

export const ATTEMPT_COLUMNS =
  'book_id, transfer_id, id, route, purpose, operator_reference, request, http_status, answer, ' +
  'outcome, elapsed_ms, ended_at';

/** Its one exchange with the operator. */
export function* attemptRows(history: History): Generator<string> {
  for (const { wallet, n, id, endedAt } of listPast(history)) {
    yield `${wallet.bookId}\t${id}\t${randomUUID()}\tsandbox\tsubmit\t${operatorReferenceOf(wallet, n)}` +
      `\tPOST /payouts\t200\t{"status":"paid"}\tpaid\t${TOOK_MS}\t${endedAt}\n`;
  }
}

export const FEED_COLUMNS = 'book_id, number, subject_ids, seqs';

/** Both of its events in one batch. Batches are numbered by microseconds. */
export function* feedRows(history: History): Generator<string> {
  for (const { wallet, id, endedMs } of listPast(history)) {
    yield `${wallet.bookId}\t${endedMs}000\t{${id},${id}}\t{1,2}\n`;
  }
}

export const DELIVERY_COLUMNS =
  'book_id, id, endpoint_id, subject_id, event_seq, state, attempts, schedule_attempts, created_at';

/** Its success was delivered to an endpoint that was deleted since. */
export function* deliveryRows(history: History): Generator<string> {
  for (const { wallet, index, id, endedAt } of listPast(history)) {
    yield `${wallet.bookId}\t${randomUUID()}\t${historyId(0, index)}\t${id}\t2\tdelivered\t1\t1\t${endedAt}\n`;
  }
}
