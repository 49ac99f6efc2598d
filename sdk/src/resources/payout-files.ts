import { apiPath, apiQuery, toTimeText } from '../api-path.ts';
import { KafueError } from '../kafue-error.ts';
import type {
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
import { readList } from './read-list.ts';
import { readWaitMs, type WaitDeps, type WaitOptions } from './wait-until-final.ts';

/** 20 MiB on a poor line take minutes. */
const UPLOAD_TIMEOUT_MS = 300_000;
const PAUSE_MS = 500;
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

  /** Uploads a file and has its rows checked. A large one is still `checking`: see waitUntilChecked. */
  upload(
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
      // The service knows it again by its key.
      isRepeatable: true,
    });
  }

  get(id: string, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}`;
    return this.#transport.call({ method: 'GET', path, options, isRepeatable: true });
  }

  /** Newest first. */
  list(filter: PayoutFileFilter & Paging = {}, options?: CallOptions): PageList<PayoutFileItem> {
    return readList(this.#transport, { path: 'payout-files', filter, options });
  }

  /** Reads the file again until its rows are checked. Throws STILL_PENDING when the time is up: 10 minutes by itself. */
  async waitUntilChecked(id: string, options: WaitOptions = {}): Promise<PayoutFile> {
    const message = 'The file is still being checked';
    return this.#waitUntil(id, ({ state }) => state !== 'checking', { message, ...options });
  }

  /** Names a draft, or chooses the wallet that it pays from. */
  update(id: string, change: PayoutFileChange, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}`;
    return this.#transport.call({ method: 'PUT', path, body: change, options, isRepeatable: true });
  }

  /** Deletes a file that was never submitted. */
  delete(id: string, options?: CallOptions): Promise<Readonly<{ id: string }>> {
    const path = apiPath`payout-files/${id}`;
    return this.#transport.call({ method: 'DELETE', path, options, isRepeatable: true });
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
      path: apiPath`payout-files/${id}/rows`,
      filter: sent,
      options,
    });
  }

  /** Corrects a row of a draft; it is checked anew. */
  correctRow(
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
  dropRow(id: string, number: number, options?: CallOptions): Promise<PayoutRow> {
    const path = apiPath`payout-files/${id}/rows/${String(number)}`;
    return this.#transport.call({ method: 'DELETE', path, options, isRepeatable: true });
  }

  /** Takes a dropped row back in. */
  restoreRow(id: string, number: number, options?: CallOptions): Promise<PayoutRow> {
    const path = apiPath`payout-files/${id}/rows/${String(number)}/restore`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /** Leaves out all rows that cannot be paid as they are. */
  dropProblems(id: string, options?: CallOptions): Promise<Readonly<{ dropped: number }>> {
    const path = apiPath`payout-files/${id}/drop-problems`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /** Has operators asked, in the background, whose accounts the numbers are. */
  checkNames(id: string, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}/check-names`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /**
   * Freezes a checked draft and has it paid, scheduled or wait for approvals. Sending it again changes nothing: each row
   * is paid once.
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

  /** Pays no row whose turn has not come, and cancels transfers that have not left. */
  cancel(id: string, options?: CallOptions): Promise<PayoutFile> {
    const path = apiPath`payout-files/${id}/cancel`;
    return this.#transport.call({ method: 'POST', path, options, isRepeatable: true });
  }

  /** Makes a draft of the rows that were refused or failed. Each names the transfer that it replaces. */
  retryFailed(id: string, options?: CallOptions): Promise<PayoutFile> {
    return this.#transport.call({
      method: 'POST',
      path: apiPath`payout-files/${id}/failed-rows`,
      options,
      // After a lost answer the draft is in the list: a second call finds no row that is left.
      isRepeatable: false,
    });
  }

  /** What became of every row until now, as CSV. */
  async results(id: string, options?: CallOptions): Promise<string> {
    const path = apiPath`payout-files/${id}/results`;
    const call = { method: 'GET', path, options, isRepeatable: true } as const;
    return (await this.#transport.callForCsv(call)).text;
  }

  /** Reads the file again until it is done or cancelled. Throws STILL_PENDING when the time is up: 10 minutes by itself. */
  async waitUntilEnded(id: string, options: WaitOptions = {}): Promise<PayoutFile> {
    const message = 'The file is still being paid';
    return this.#waitUntil(id, ({ state }) => ENDED.includes(state), { message, ...options });
  }

  async #waitUntil(
    id: string,
    isWanted: (file: PayoutFile) => boolean,
    { message, ...options }: WaitOptions & { message: string },
  ): Promise<PayoutFile> {
    const { signal } = options;
    const timeoutMs = readWaitMs(options);
    const deadline = this.#deps.now() + timeoutMs;
    for (;;) {
      const file = await this.get(id, { signal });
      if (isWanted(file)) return file;
      const leftMs = deadline - this.#deps.now();
      if (leftMs <= 0) {
        const text = `${message} after ${timeoutMs} ms. Ask again later.`;
        throw new KafueError({ code: 'STILL_PENDING', message: text, retryable: true });
      }
      await this.#deps.pause(Math.min(PAUSE_MS, leftMs), signal);
    }
  }
}
