import type { OperatorRoute } from '../model/operator-route.ts';
import type { CallOptions, Transport } from '../transport.ts';

export class Operators {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every pair of operator and country: whether the book can use it, and its bounds. */
  async list(options?: CallOptions): Promise<readonly OperatorRoute[]> {
    const { items } = await this.#transport.call<Readonly<{ items: readonly OperatorRoute[] }>>({
      method: 'GET',
      path: 'operators',
      options,
      isRepeatable: true,
    });
    return items;
  }
}
