import { apiQuery } from '../api-path.ts';
import type { Limit } from '../model/control.ts';
import type { CallOptions, Transport } from '../transport.ts';

export class Limits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The rest of every limit of the book; with `phone` also of limits by recipient. */
  async list(
    filter: Readonly<{ phone?: string | undefined }> = {},
    options?: CallOptions,
  ): Promise<readonly Limit[]> {
    const { items } = await this.#transport.call<Readonly<{ items: readonly Limit[] }>>({
      method: 'GET',
      path: 'limits',
      query: apiQuery(filter),
      options,
      isRepeatable: true,
    });
    return items;
  }
}
