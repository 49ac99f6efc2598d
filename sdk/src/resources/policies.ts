import type { Policy } from '../model/policy.ts';
import type { CallOptions, Transport } from '../transport.ts';

export class Policies {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The rules of the book that are in force, its draft and its versions. People change it in the console. */
  async get(options?: CallOptions): Promise<Policy> {
    return this.#transport.call<Policy>({
      method: 'GET',
      path: 'policy',
      options,
      isRepeatable: true,
    });
  }
}
