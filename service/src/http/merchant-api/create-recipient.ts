import {
  type CreateRecipientDeps,
  createRecipient,
  type RecipientCommand,
} from '../../recipients/create-recipient.ts';
import { renderRecipient } from '../../views/render-recipient.ts';
import { RecipientBody, RecipientObject } from '../schemas/recipient-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

export function createRecipientOperation(deps: CreateRecipientDeps): ApiOperation {
  return {
    method: 'POST',
    path: '/transfer-recipients/mobile-money',
    operationId: 'createRecipient',
    tag: 'Recipients',
    isOfPayouts: true,
    scope: 'recipients:write',
    permission: 'payouts:write',
    summary: 'Create a recipient',
    description:
      'Stores a number with the name that its operator returns, not the name that you supply. If the ' +
      'operator cannot be reached now, `resolution` is `pending` and the name is resolved later. ' +
      'The same phone, operator and country again answer 200 with the existing recipient. ' +
      'A key may look up a limited number of names a day; past it the answer is 429 and nothing ' +
      'is stored.',
    schema: { body: RecipientBody, data: { 200: RecipientObject, 201: RecipientObject } },
    async handle({ caller, body }) {
      const { recipient, created } = await createRecipient(deps, {
        book: caller.book,
        actor: caller.actor,
        command: readRecipientCommand(body ?? new Map()),
      });
      const data = renderRecipient(recipient);
      if (!created) return { status: 200, message: 'Recipient already exists', data };
      const location = `/api/v1/payments/transfer-recipients/${recipient.id}`;
      return { status: 201, message: 'Recipient created', data, headers: { location } };
    },
  };
}

function readRecipientCommand(body: JsonObject): RecipientCommand {
  const read = createFieldReader(body, Object.keys(RecipientBody.properties));
  const country = read.country('country');
  const { accountName, ...account } = read.checked({
    phone: read.phone('phone', country),
    operator: read.operator('operator'),
    country,
    accountName: read.optionalText('accountName'),
  });
  // A form field that was left empty arrives as blanks, which means that no name is known.
  const suppliedAccountName = accountName?.trim() === '' ? null : accountName;
  return { ...account, suppliedAccountName };
}
