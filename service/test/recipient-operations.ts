import type { Book } from '../src/domain/book.ts';
import { createUuidV7Source } from '../src/domain/uuid.ts';
import { createRecipientOperation } from '../src/http/merchant-api/create-recipient.ts';
import { callOperation } from './api-request.ts';
import { namesBy, sandboxRoutes } from './name-operator.ts';
import type { TestDatabase } from './test-database.ts';

export const RECIPIENT_NOW = new Date('2026-11-15T08:00:00.000Z');
export const RECIPIENT_BODY = { phone: '0977423571', operator: 'mtn', country: 'zm' };

export type CreatedRecipient = { id: string; phone: string };

/** The operation that stores recipients, with names from the sandbox, and a short way to call it. */
export function recipientOperations(test: TestDatabase) {
  const now = () => RECIPIENT_NOW;
  const create = createRecipientOperation({
    database: test.database,
    names: namesBy(sandboxRoutes(now), test),
    newId: createUuidV7Source(
      () => RECIPIENT_NOW.getTime(),
      (bytes) => crypto.getRandomValues(bytes),
    ),
    now,
  });
  async function createOne(
    book: Book,
    body: Record<string, unknown> = {},
  ): Promise<CreatedRecipient> {
    const { data } = await callOperation(create, { book, body: { ...RECIPIENT_BODY, ...body } });
    return data as CreatedRecipient;
  }
  return { create, createOne };
}
