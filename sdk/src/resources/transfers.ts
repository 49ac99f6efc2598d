import { apiPath, isDotSegment, toTimeText } from '../api-path.ts';
import { KafueError } from '../kafue-error.ts';
import type { BulkResults } from '../model/bulk.ts';
import type { Preflight, PreflightInput } from '../model/preflight.ts';
import type {
  CancelledTransfer,
  FinalTransfer,
  HistoryEntry,
  Transfer,
  TransferFilter,
  TransferInput,
} from '../model/transfer.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport, WriteOptions } from '../transport.ts';
import { readList } from './read-list.ts';
import type { WaitDeps, WaitOptions } from './wait-until.ts';
import { waitUntilFinal } from './wait-until-final.ts';

export class Transfers {
  readonly #transport: Transport;
  readonly #waitDeps: WaitDeps;

  constructor(transport: Transport, waitDeps: WaitDeps) {
    this.#transport = transport;
    this.#waitDeps = waitDeps;
  }

  /**
   * Pays a phone number. Resolves once the transfer is stored and its funds are held; the payout follows, and
   * `status`, an event or a webhook shows its result. If an answer is lost, the call is sent again under the same
   * key, and pays once.
   */
  async create(transfer: TransferInput, options?: WriteOptions): Promise<Transfer> {
    return this.#transport.call({
      method: 'POST',
      path: 'transfers/mobile-money',
      body: toBody(transfer),
      options,
      isRepeatable: true,
      isKeyed: true,
    });
  }

  /** Up to 1,000 transfers in one call. Each is accepted or refused by itself: look at `refused`. */
  async bulk(transfers: readonly TransferInput[], options?: WriteOptions): Promise<BulkResults> {
    return this.#transport.call({
      method: 'POST',
      path: 'transfers/mobile-money/bulk',
      body: { transfers: transfers.map(toBody) },
      options,
      isRepeatable: true,
      isKeyed: true,
    });
  }

  /**
   * Checks a transfer without ordering it: every problem, the fee, the name of the account, similar transfers.
   * Nothing is stored and no money moves.
   */
  async preflight(transfer: PreflightInput, options?: CallOptions): Promise<Preflight> {
    return this.#transport.call({
      method: 'POST',
      path: 'transfers/mobile-money/preflight',
      body: toBody(transfer),
      options,
      isRepeatable: true,
    });
  }

  async get(id: string, options?: CallOptions): Promise<Transfer> {
    return this.#transport.call({
      method: 'GET',
      path: apiPath`transfers/${id}`,
      options,
      isRepeatable: true,
    });
  }

  /** Finds a transfer by your own reference, for example if its id was lost. */
  async getByReference(reference: string, options?: CallOptions): Promise<Transfer> {
    // No client can send these two in a path: URLs drop them, percent-encoded or not.
    if (isDotSegment(reference)) return this.#findByReference(reference, options);
    return this.#transport.call({
      method: 'GET',
      path: apiPath`transfers/status/${reference}`,
      options,
      isRepeatable: true,
    });
  }

  /**
   * Reads the transfer until it is no longer pending. After the timeout, 10 minutes by default, it throws STILL_PENDING,
   * with the transfer as last read in `data`. It reads less and less often, and continues while the service cannot be
   * reached. For many transfers use webhooks.
   */
  async waitUntilFinal(id: string, options: WaitOptions = {}): Promise<FinalTransfer> {
    return waitUntilFinal(this.#waitDeps, (signal) => this.get(id, { signal }), options);
  }

  /** Newest first. */
  list(filter: TransferFilter & Paging = {}, options?: CallOptions): PageList<Transfer> {
    return readList(this.#transport, { path: () => 'transfers', filter, options });
  }

  /** Every state of the transfer, oldest first. */
  async history(id: string, options?: CallOptions): Promise<readonly HistoryEntry[]> {
    const { items } = await this.#transport.call<Readonly<{ items: readonly HistoryEntry[] }>>({
      method: 'GET',
      path: apiPath`transfers/${id}/history`,
      options,
      isRepeatable: true,
    });
    return items;
  }

  /**
   * Works only while the transfer is queued or scheduled; else it throws INVALID_STATE. Take a transfer that awaits
   * approval back with `approvals.recall`: as the person who ordered it, or, if a key did, as any key or person that
   * may pay.
   */
  async cancel(id: string, options?: CallOptions): Promise<CancelledTransfer> {
    try {
      return await this.#transport.call<CancelledTransfer>({
        method: 'POST',
        path: apiPath`transfers/${id}/cancel`,
        options,
        isRepeatable: true,
      });
    } catch (error) {
      if (!isSecondTry(error)) throw error;
      // An earlier attempt, whose answer was lost, may have cancelled it.
      const transfer = await this.get(id, options);
      if (transfer.state !== 'cancelled') throw error;
      return transfer;
    }
  }

  async #findByReference(reference: string, options?: CallOptions): Promise<Transfer> {
    const { items } = await this.list({ reference, limit: 1 }, options).page();
    const [transfer] = items;
    if (transfer !== undefined) return transfer;
    const message = 'No such transfer.';
    throw new KafueError({ code: 'TRANSFER_NOT_FOUND', message, status: 404, attempts: 1 });
  }
}

/** An invalid Date would become null in JSON, and the transfer would be sent at once. */
function toBody<Input extends Pick<TransferInput, 'sendAt'>>(transfer: Input) {
  const { sendAt } = transfer;
  return sendAt instanceof Date ? { ...transfer, sendAt: toTimeText(sendAt) } : transfer;
}

function isSecondTry(error: unknown): boolean {
  return error instanceof KafueError && error.code === 'INVALID_STATE' && error.attempts > 1;
}
