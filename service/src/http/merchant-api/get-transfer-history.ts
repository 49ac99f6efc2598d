import { hideEvidence } from '../../domain/cause.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readHistory } from '../../transfers/read/read-history.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { TransferHistory } from '../schemas/transfer-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function getTransferHistoryOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/transfers/:id/history',
    operationId: 'getTransferHistory',
    tag: 'Transfers',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'Get the history of a transfer',
    description: 'Every state it was in, oldest first: when, why and by whom.',
    schema: {
      params: idParameter('transfer'),
      data: { 200: TransferHistory },
    },
    async handle({ caller: { book }, params }) {
      const id = parseUuid(params.id ?? '');
      const entries = id === undefined ? [] : await readHistory(database, { bookId: book.id, id });
      if (entries.length === 0) throw refuse('TRANSFER_NOT_FOUND');
      const items = entries.map((entry) => ({
        ...entry,
        at: entry.at.toISOString(),
        cause: hideEvidence(entry.cause),
      }));
      return { status: 200, message: 'History found', data: { items } };
    },
  };
}
