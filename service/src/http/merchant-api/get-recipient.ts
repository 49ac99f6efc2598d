import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findRecipient } from '../../recipients/find-recipient.ts';
import { renderRecipient } from '../../views/render-recipient.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { RecipientObject } from '../schemas/recipient-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';

export function getRecipientOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/transfer-recipients/:id',
    operationId: 'getRecipient',
    tag: 'Recipients',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'Get a recipient',
    description: 'One recipient of the book, as it is now.',
    schema: {
      params: idParameter('recipient'),
      data: { 200: RecipientObject },
    },
    async handle({ caller: { book }, params }) {
      const id = parseUuid(params.id ?? '');
      const recipient = id === undefined ? undefined : await findRecipient(database, { book, id });
      if (recipient === undefined) throw refuse('RECIPIENT_NOT_FOUND');
      return { status: 200, message: 'Recipient found', data: renderRecipient(recipient) };
    },
  };
}
