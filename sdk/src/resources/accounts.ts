import type { AccountInput, ResolvedAccount } from '../model/recipient.ts';
import type { CallOptions, Transport } from '../transport.ts';

export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Asks the operator whose account a number is, and stores nothing. */
  async resolve(account: AccountInput, options?: CallOptions): Promise<ResolvedAccount> {
    return this.#transport.call({
      method: 'POST',
      path: 'resolve/mobile-money',
      body: account,
      options,
      isRepeatable: true,
    });
  }
}
