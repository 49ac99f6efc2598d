import { parseUuid } from '../../domain/uuid.ts';
import { listWallets } from '../../ledger/read-wallets.ts';
import type { Queryable } from '../../postgres/database.ts';
import { renderWallet } from '../../views/render-wallet.ts';
import { WalletListQuery, WalletPage } from '../schemas/wallet-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createQueryReader, encodeCursor } from './read-page.ts';

const LIST = 'wallets';

export function listWalletsOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/wallets',
    operationId: 'listWallets',
    tag: 'Wallets',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'List wallets',
    description: 'The wallets of the book with their balances, newest first.',
    schema: { querystring: WalletListQuery, data: { 200: WalletPage } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(WalletListQuery.properties));
      const page = read.checked({ limit: read.limit(), before: read.cursor(LIST, parseUuid) });
      const { items, nextCursor } = await listWallets(database, { bookId: book.id, ...page });
      return {
        status: 200,
        message: 'Wallets listed',
        data: {
          items: items.map(renderWallet),
          nextCursor: nextCursor === null ? null : encodeCursor(LIST, nextCursor),
        },
      };
    },
  };
}
