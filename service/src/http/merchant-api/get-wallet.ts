import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import { findWallet } from '../../ledger/read-wallets.ts';
import type { Queryable } from '../../postgres/database.ts';
import { renderWallet } from '../../views/render-wallet.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { WalletObject } from '../schemas/wallet-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function getWalletOperation({ database }: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/wallets/:id',
    operationId: 'getWallet',
    tag: 'Wallets',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'Get a wallet',
    description: 'One wallet of the book with its balances.',
    schema: {
      params: idParameter('wallet'),
      data: { 200: WalletObject },
    },
    async handle({ caller: { book }, params }) {
      const id = parseUuid(params.id ?? '');
      const wallet =
        id === undefined ? undefined : await findWallet(database, { bookId: book.id, id });
      if (wallet === undefined) throw refuse('WALLET_NOT_FOUND');
      return { status: 200, message: 'Wallet found', data: renderWallet(wallet) };
    },
  };
}
