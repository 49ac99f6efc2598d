import { isCountry, isOperator } from '../../domain/operator.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable } from '../../postgres/database.ts';
import { listRecipients } from '../../recipients/list-recipients.ts';
import { renderRecipient } from '../../views/render-recipient.ts';
import { RecipientListQuery, RecipientPage } from '../schemas/recipient-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createQueryReader, encodeCursor } from './read-page.ts';

const LIST = 'recipients';

export function listRecipientsOperation({
  database,
}: Readonly<{ database: Queryable }>): ApiOperation {
  return {
    method: 'GET',
    path: '/transfer-recipients',
    operationId: 'listRecipients',
    tag: 'Recipients',
    scope: 'read',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'List recipients',
    description: 'Newest first. Filters combine. Pages stay stable while recipients are added.',
    schema: { querystring: RecipientListQuery, data: { 200: RecipientPage } },
    async handle({ caller: { book }, query }) {
      const read = createQueryReader(query, Object.keys(RecipientListQuery.properties));
      const country = read.word('country', isCountry, 'INVALID_COUNTRY');
      const { limit, before, ...filter } = read.checked({
        limit: read.limit(),
        before: read.cursor(LIST, parseUuid),
        phone: read.phone('phone', country),
        operator: read.word('operator', isOperator, 'INVALID_OPERATOR'),
        country,
        from: read.time('from'),
        to: read.time('to'),
      });
      const page = await listRecipients(database, { book, filter, page: { limit, before } });
      return {
        status: 200,
        message: 'Recipients listed',
        data: {
          items: page.items.map(renderRecipient),
          nextCursor: page.nextCursor === null ? null : encodeCursor(LIST, page.nextCursor),
        },
      };
    },
  };
}
