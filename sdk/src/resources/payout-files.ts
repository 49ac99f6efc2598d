import { apiPath, apiQuery, toTimeText } from '../api-path.ts';
import type {
  FailedRowsDraft,
  PayoutFile,
  PayoutFileChange,
  PayoutFileFilter,
  PayoutFileItem,
  PayoutFileState,
  PayoutFileSubmission,
  PayoutRow,
  PayoutRowCorrection,
  PayoutRowFilter,
} from '../model/payout-file.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport, WriteOptions } from '../transport.ts';
import { deleteOnce } from './delete-once.ts';
import { readList } from './read-list.ts';
import { type WaitDeps, type WaitOptions, waitUntil } from './wait-until.ts';

/** Uploading 20 MiB over a slow connection takes minutes. */
const UPLOAD_TIMEOUT_MS = 300_000;
/** Shorter than for a transfer: a check takes seconds, and people wait for it. */
const PAUSE_MAX_MS = 2_000;
const ENDED: readonly PayoutFileState[] = ['done', 'cancelled'];

export type PayoutUpload = Readonly<{
  /** CSV or XLSX; a text is sent in UTF-8. */
  file: Uint8Array | string;
  name?: string | undefined;
  /** The wallet to pay from. It can be chosen later. */
  walletId?: string | undefined;
  /** `given`: each transfer has the reference in its row's column `reference`. Else they are derived. */
  references?: 'derived' | 'given' | undefined;
}>;

/** Lists of payouts that are prepared and paid as one. */
export class PayoutFiles {
  readonly #transport: Transport;
  readonly #deps: WaitDeps;

  constructor(transport: Transport, deps: WaitDeps) {
    this.#transport = transport;
    this.#deps = deps;
  }

  /**
   * Uploads a file and has its rows checked. A large one is still `checking`: see waitUntilChecked.
   *
   * The same file, uploaded and submitted twice, is paid twice, unless both uploads have the same `idempotencyKey`,
   * such as the name of the payroll, or `references: 'given'`. Give one of them, and check `sameUploads` before you
   * submit.
   */
  async upload(
    { file, name, walletId, references }: PayoutUpload,
    options?: WriteOptions,
  ): Promise<PayoutFile> {
    return this.#transport.call({
      method: 'POST',
      path: 'payout-files',
      query: apiQuery({ name, walletId, references }),
      file: typeof file === 'string' ? new TextEncoder().encode(file) : new Uint8Array(file),
      timeoutMs: UPLOAD_TIMEOUT_MS,
      options,
      // The service recognises a repeated upload by its key.
      isRepeatable: true,
      isKeyed: true,
    });
  }

  async get(id: string, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}`;
    return this.#transport.call({ method: 'GET', path, options, isRepeatable: true });
  }

  /** Newest first. */
  list(filter: PayoutFileFilter & Paging = {}, options?: CallOptions): PageList<PayoutFileItem> {
    return readList(this.#transport, { path: () => 'payout-files', filter, options });
  }

  /** Reads the file until its rows are checked. Throws STILL_PENDING after the timeout, 10 minutes by default. */
  async waitUntilChecked(id: string, options: WaitOptions = {}): Promise<PayoutFile> {
    return this.#waitUntil(id, ({ state }) => state !== 'checking', options);
  }

  /** Names a draft, or chooses the wallet that it pays from. */
  async update(id: string, change: PayoutFileChange, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}`;
    return this.#transport.call({ method: 'PUT', path, body: change, options, isRepeatable: true });
  }

  /** Deletes a file that was never submitted. */
  async delete(id: string, options?: CallOptions): Promise<Readonly<{ id: string }>> {
    await deleteOnce(this.#transport, { path: apiPath`payout-files/${id}`, options });
    return { id };
  }

  /** In the order of the file. */
  rows(
    id: string,
    filter: PayoutRowFilter & Paging = {},
    options?: CallOptions,
  ): PageList<PayoutRow> {
    const { problems, ...rest } = filter;
    const sent = { ...rest, problems: problems === undefined ? undefined : String(problems) };
    return readList(this.#transport, {
      path: () => apiPath`payout-files/${id}/rows`,
      filter: sent,
      options,
    });
  }

  /** Corrects a row of a draft. The service checks the row again. */
  async correctRow(
    id: string,
    number: number,
    correction: PayoutRowCorrection,
    options?: CallOptions,
  ): Promise<PayoutRow> {
    const path = apiPath`payout-files/${id}/rows/${String(number)}`;
    return this.#transport.call({
      method: 'PUT',
      path,
      body: correction,
      options,
      isRepeatable: true,
    });
  }

  /** Leaves a row of a draft out. */
  async dropRow(id: string, number: number, options?: CallOptions): Promise<PayoutRow> {
    const path = apiPath`payout-files/${id}/rows/${String(number)}`;
    return this.#transport.call({ method: 'DELETE', path, options, isRepeatable: true });
  }

  /** Restores a row that was left out. */
  async restoreRow(id: string, number: number, options?: CallOptions): Promise<PayoutRow> {
    const path = apiPath`payout-files/${id}/rows/${String(number)}/restore`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /** Leaves out all rows that cannot be paid as they are. */
  async dropProblems(id: string, options?: CallOptions): Promise<Readonly<{ dropped: number }>> {
    const path = apiPath`payout-files/${id}/drop-problems`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /** Makes the service ask the operators, in the background, for the names of the account holders. */
  async checkNames(id: string, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}/check-names`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /**
   * Submits a checked draft: from then on it cannot change, and it is paid, scheduled or waits for approvals.
   * Submitting the same file again changes nothing. A list that was uploaded twice is two files and is paid twice: see
   * `upload`.
   */
  async submit(
    id: string,
    submission: PayoutFileSubmission = {},
    options?: CallOptions,
  ): Promise<PayoutFile> {
    const { contentHash, version, walletId, payAt } = submission;
    return this.#transport.call({
      method: 'POST',
      path: apiPath`payout-files/${id}/submit`,
      body: { contentHash, version, walletId, payAt: toTimeText(payAt) },
      options,
      isRepeatable: true,
    });
  }

  /** Stops paying: rows that are not sent yet are not paid, and transfers that have not left are cancelled. */
  async cancel(id: string, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}/cancel`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /**
   * Makes a draft of the rows that were refused or failed. Each names the transfer that it replaces. `rowsLeftOut`
   * counts the failed rows that the draft leaves out, because the operator may have paid them.
   */
  async retryFailed(id: string, options?: CallOptions): Promise<FailedRowsDraft> {
    return this.#transport.call({
      method: 'POST',
      path: apiPath`payout-files/${id}/failed-rows`,
      options,
      // Not sent again after a lost answer: the draft may exist, and a second call would find no rows for another.
      isRepeatable: false,
    });
  }

  /** The result of every row so far, as CSV. */
  async results(id: string, options?: CallOptions): Promise<string> {
    const path = apiPath`payout-files/${id}/results`;
    const call = { method: 'GET', path, options, isRepeatable: true } as const;
    return (await this.#transport.callForCsv(call)).text;
  }

  /** Reads the file until it is done or cancelled. Throws STILL_PENDING after the timeout, 10 minutes by default. */
  async waitUntilEnded(id: string, options: WaitOptions = {}): Promise<PayoutFile> {
    return this.#waitUntil(id, ({ state }) => ENDED.includes(state), options);
  }

  async #waitUntil(
    id: string,
    isWanted: (file: PayoutFile) => boolean,
    options: WaitOptions,
  ): Promise<PayoutFile> {
    return waitUntil(
      this.#deps,
      {
        read: (signal) => this.get(id, { signal }),
        accept: (file) => (isWanted(file) ? file : undefined),
        pauseMaxMs: PAUSE_MAX_MS,
        describePending: ({ state }, timeoutMs) => ({
          message: `The file is still ${state} after ${timeoutMs} ms. Ask again later.`,
        }),
      },
      options,
    );
  }
}
