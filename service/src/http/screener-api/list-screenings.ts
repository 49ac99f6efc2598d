import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { readScreenings } from '../../screening/read-screenings.ts';
import type { Screening } from '../../screening/screening.ts';
import { findTransfer } from '../../transfers/read/find-transfer.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { ScreeningList } from '../schemas/screener-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function listScreeningsOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/transfers/:id/screenings',
    operationId: 'listScreenings',
    tag: 'Controls',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'List what screeners said about a transfer',
    description:
      'Empty when no rule asked. With the evidence: when it was asked, and the answer as it came.',
    schema: { params: idParameter('transfer'), data: { 200: ScreeningList } },
    async handle({ caller: { book }, params }) {
      const id = parseUuid(params.id ?? '');
      const transfer =
        id === undefined
          ? undefined
          : await findTransfer(database, { bookId: book.id, mode: book.mode, id });
      if (transfer === undefined) throw refuse('TRANSFER_NOT_FOUND');
      const screenings = await readScreenings(database, {
        bookId: book.id,
        transferId: transfer.id,
      });
      return {
        status: 200,
        message: 'Screenings listed',
        data: { transferId: transfer.id, items: screenings.map(renderScreening) },
      };
    },
  };
}

function renderScreening(screening: Screening) {
  const { rule, screener, decision, reason, createdAt, decidedAt, attempts } = screening;
  return {
    rule,
    screener,
    decision,
    reason,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  };
}
