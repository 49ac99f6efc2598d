import { apiPath, apiQuery } from '../api-path.ts';
import type { Posting, PostingFilter, Wallet } from '../model/wallet.ts';
import type { PageList, Paging } from '../page-list.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { readList } from './read-list.ts';

/** The most that the service gives at once, so that a long statement takes few calls. */
const STATEMENT_LINES_MAX = 100;

export class Wallets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(paging: Paging = {}, options?: CallOptions): PageList<Wallet> {
    return readList(this.#transport, { path: () => 'wallets', filter: paging, options });
  }

  async get(id: string, options?: CallOptions): Promise<Wallet> {
    return this.#transport.call({
      method: 'GET',
      path: apiPath`wallets/${id}`,
      options,
      isRepeatable: true,
    });
  }

  /** The statement, newest first. */
  postings(
    id: string,
    filter: PostingFilter & Paging = {},
    options?: CallOptions,
  ): PageList<Posting> {
    return readList(this.#transport, {
      path: () => apiPath`wallets/${id}/postings`,
      filter,
      options,
    });
  }

  /**
   * The whole statement as CSV, piece by piece, with one line of column names. However long it is,
   * one page of it is in memory:
   *
   *     await pipeline(kafue.wallets.statementCsv(id), createWriteStream('statement.csv'));
   */
  async *statementCsv(
    id: string,
    filter: PostingFilter = {},
    options?: CallOptions,
  ): AsyncIterableIterator<string> {
    const path = apiPath`wallets/${id}/postings`;
    let cursor: string | null = null;
    for (;;) {
      const query = apiQuery({ ...filter, limit: STATEMENT_LINES_MAX, cursor });
      const page: Awaited<ReturnType<Transport['callForCsv']>> = await this.#transport.callForCsv({
        method: 'GET',
        path,
        query,
        options,
        isRepeatable: true,
      });
      yield cursor === null ? page.text : withoutFirstLine(page.text);
      if (page.nextCursor === null || page.nextCursor === cursor) return;
      cursor = page.nextCursor;
    }
  }
}

/** The column names, which every page repeats. */
function withoutFirstLine(csv: string): string {
  return csv.slice(csv.indexOf('\n') + 1);
}
