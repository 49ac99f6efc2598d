import { apiPath } from '../api-path.ts';
import type { Approval, ApprovalView, DecisionInput, DecisionResult } from '../model/approval.ts';
import type { Transfer } from '../model/transfer.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { readList } from './read-list.ts';

/** What a person decides about, as they were shown it. */
type Shown = Readonly<{ id: string; contentHash: string; reason?: string | null | undefined }>;

/**
 * What waits for approval. Keys never approve: these need a client with the `session` of a person, who has shown the second
 * factor in the last 5 minutes.
 */
export class Approvals {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Oldest first; what is decided, the last decision first. */
  list(
    filter: Readonly<{ view?: ApprovalView | undefined }> & Paging = {},
    options?: CallOptions,
  ): PageList<Approval> {
    return readList(this.#transport, { path: () => 'approvals', filter, options });
  }

  /** With enough approvals the transfer is sent. */
  async approve(transfer: Shown, options?: CallOptions): Promise<Transfer> {
    return this.#decide(transfer, 'approve', options);
  }

  /** One rejection cancels the transfer. */
  async reject(transfer: Shown, options?: CallOptions): Promise<Transfer> {
    return this.#decide(transfer, 'reject', options);
  }

  /** Its maker takes back a transfer that waits; what a key ordered, any key or person that may pay. */
  async recall(id: string, options?: CallOptions): Promise<Transfer> {
    const path = apiPath`transfers/${id}/recall`;
    return this.#transport.call({ method: 'POST', path, body: {}, options, isRepeatable: false });
  }

  /** Up to 100 transfers and files; each result says whether its decision was recorded. */
  async decide(
    decisions: readonly DecisionInput[],
    options?: CallOptions,
  ): Promise<readonly DecisionResult[]> {
    const { results } = await this.#transport.call<
      Readonly<{ results: readonly DecisionResult[] }>
    >({
      method: 'POST',
      path: 'approvals/decide',
      body: { decisions },
      options,
      isRepeatable: false,
    });
    return results;
  }

  // Not repeated by itself: the second answer would be ALREADY_DECIDED, and hide that the first was recorded.
  async #decide(
    { id, contentHash, reason = null }: Shown,
    decision: 'approve' | 'reject',
    options: CallOptions | undefined,
  ): Promise<Transfer> {
    const path =
      decision === 'approve' ? apiPath`transfers/${id}/approve` : apiPath`transfers/${id}/reject`;
    const body = { contentHash, reason };
    return this.#transport.call({ method: 'POST', path, body, options, isRepeatable: false });
  }
}
