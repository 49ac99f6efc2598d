import type { AccountInput, ResolvedAccount } from '../model/recipient.ts';
import type { Transport, WriteOptions } from '../transport.ts';

export class Accounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Asks the operator whose account a number is, and stores nothing. */
  resolve(account: AccountInput, options?: WriteOptions): Promise<ResolvedAccount> {
    return this.#transport.call({
      method: 'POST',
      path: 'resolve/mobile-money',
      body: account,
      options,
      isRepeatable: true,
    });
  }
}
