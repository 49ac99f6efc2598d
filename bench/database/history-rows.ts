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

type Past = Readonly<{ wallet: FreshWallet; n: number; id: string; at: string; endedAt: string }>;

/** The transfers of all wallets in the order of time, as they would have arrived. */
function* listPast({ wallets, transfersPerWallet, endsAt }: History): Generator<Past> {
  const beganMs = endsAt.getTime() - HISTORY_DAYS * DAY_MS;
  const stepMs = (HISTORY_DAYS * DAY_MS) / (transfersPerWallet + 1);
  for (let n = 1; n <= transfersPerWallet; n += 1) {
    const atMs = Math.floor(beganMs + n * stepMs);
    const at = new Date(atMs).toISOString();
    const endedAt = new Date(atMs + TOOK_MS).toISOString();
    for (const [index, wallet] of wallets.entries()) {
      yield { wallet, n, id: historyId(atMs, index), at, endedAt };
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
    const reference = historyReference(n);
    const operatorReference = deriveOperatorReference({
      bookId: wallet.bookId,
      reference,
      submission: FIRST_SUBMISSION,
    });
    yield `${wallet.bookId}\t${id}\t${wallet.id}\t${reference}\tsucceeded\t${AMOUNT_MINOR}` +
      `\t0\tZMW\t${phone}\tmtn\tzm\tChanda Mwansa\tSalary of November\t${operatorReference}` +
      `\tsandbox-${n}\t2\t${at}\t${endedAt}\t${endedAt}\n`;
  }
}

function historyReference(n: number): string {
  return `history-${n}`;
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
