import { apiPath } from '../api-path.ts';
import type { Recipient, RecipientFilter, RecipientInput } from '../model/recipient.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { readList } from './read-list.ts';

export class Recipients {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Stores a number with the name that its operator gives. The same number again is the same one. */
  async create(recipient: RecipientInput, options?: CallOptions): Promise<Recipient> {
    return this.#transport.call({
      method: 'POST',
      path: 'transfer-recipients/mobile-money',
      body: recipient,
      options,
      isRepeatable: true,
    });
  }

  async get(id: string, options?: CallOptions): Promise<Recipient> {
    return this.#transport.call({
      method: 'GET',
      path: apiPath`transfer-recipients/${id}`,
      options,
      isRepeatable: true,
    });
  }

  /** Newest first. */
  list(filter: RecipientFilter & Paging = {}, options?: CallOptions): PageList<Recipient> {
    return readList(this.#transport, { path: () => 'transfer-recipients', filter, options });
  }
}
