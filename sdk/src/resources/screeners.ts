import { apiPath } from '../api-path.ts';
import type { Screener, Screening } from '../model/control.ts';
import type { CallOptions, Transport } from '../transport.ts';

/** The services that rules have asked before a payout leaves. People change them, in the console. */
export class Screeners {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async list(options?: CallOptions): Promise<readonly Screener[]> {
    const { items } = await this.#transport.call<Readonly<{ items: readonly Screener[] }>>({
      method: 'GET',
      path: 'screeners',
      options,
      isRepeatable: true,
    });
    return items;
  }

  /** What screeners were asked about a transfer, and what they said. */
  async screeningsOf(transferId: string, options?: CallOptions): Promise<readonly Screening[]> {
    const { items } = await this.#transport.call<Readonly<{ items: readonly Screening[] }>>({
      method: 'GET',
      path: apiPath`transfers/${transferId}/screenings`,
      options,
      isRepeatable: true,
    });
    return items;
  }
}
