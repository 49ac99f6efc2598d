import { apiPath, toTimeText } from '../api-path.ts';
import type {
  Delivery,
  DeliveryFilter,
  ReplayRange,
  ReplayResult,
  WebhookChange,
  WebhookEndpoint,
  WebhookEndpointWithNewSecret,
  WebhookEndpointWithSecret,
  WebhookInput,
} from '../model/webhook-endpoint.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { deleteOnce } from './delete-once.ts';
import { readList } from './read-list.ts';

export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Keep the `secret` of the answer: it is shown only once. */
  async create(endpoint: WebhookInput, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.#transport.call({
      method: 'POST',
      path: 'webhooks',
      body: endpoint,
      options,
      // Sent twice, it would make two endpoints, and every event would come twice.
      isRepeatable: false,
    });
  }

  /** All endpoints of the book, at most 10. */
  list(options?: CallOptions): PageList<WebhookEndpoint> {
    return readList(this.#transport, { path: () => 'webhooks', filter: {}, options });
  }

  async get(id: string, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.call({
      method: 'GET',
      path: apiPath`webhooks/${id}`,
      options,
      isRepeatable: true,
    });
  }

  /** Changes only the given fields. */
  async update(id: string, change: WebhookChange, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#transport.call({
      method: 'PATCH',
      path: apiPath`webhooks/${id}`,
      body: change,
      options,
      isRepeatable: true,
    });
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await deleteOnce(this.#transport, { path: apiPath`webhooks/${id}`, options });
  }

  /**
   * Gives the endpoint a new secret. For some time deliveries are signed with both, so that you can change your receiver
   * without losing any. If the old secret leaked, make your receiver accept only the new one at once.
   */
  async rotateSecret(id: string, options?: CallOptions): Promise<WebhookEndpointWithNewSecret> {
    return this.#transport.call({
      method: 'POST',
      path: apiPath`webhooks/${id}/rotate-secret`,
      options,
      // Sent twice, it would rotate twice, and the secret that you still use would be gone.
      isRepeatable: false,
    });
  }

  /** Sends an event to the endpoint, to see whether it arrives. */
  async test(id: string, options?: CallOptions): Promise<Delivery> {
    return this.#transport.call({
      method: 'POST',
      path: apiPath`webhooks/${id}/test`,
      options,
      isRepeatable: true,
    });
  }

  /** The deliveries to this endpoint, newest first. */
  deliveries(
    id: string,
    filter: DeliveryFilter & Paging = {},
    options?: CallOptions,
  ): PageList<Delivery> {
    return readList(this.#transport, {
      path: () => apiPath`webhooks/${id}/deliveries`,
      filter,
      options,
    });
  }

  /** Sends the event of a delivery again. */
  async replay(deliveryId: string, options?: CallOptions): Promise<Delivery> {
    return this.#transport.call({
      method: 'POST',
      path: apiPath`webhooks/deliveries/${deliveryId}/replay`,
      options,
      isRepeatable: true,
    });
  }

  /** Sends many deliveries of an endpoint again, such as all that failed, oldest first. */
  async replayAll(id: string, range: ReplayRange, options?: CallOptions): Promise<ReplayResult> {
    const { from, to, state } = range;
    return this.#transport.call({
      method: 'POST',
      path: apiPath`webhooks/${id}/replay`,
      body: { from: toTimeText(from), to: toTimeText(to), state },
      options,
      isRepeatable: true,
    });
  }
}
