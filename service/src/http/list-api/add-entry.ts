import { addEntry, type ListDeps } from '../../lists/add-entry.ts';
import { LISTS, type ListEntry } from '../../lists/list-entry.ts';
import type { BodyFields } from '../merchant-api/read-webhook-body.ts';
import { CompanyEntryBody, EntryBody, EntryObject } from '../schemas/list-schema.ts';
import type { PeopleOperation, StaffOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { readExpiry, readNumber, readReason } from './read-entry-body.ts';
import { renderEntry } from './render-entry.ts';

export function addEntryOperation(deps: ListDeps): PeopleOperation {
  return {
    method: 'POST',
    path: '/lists',
    operationId: 'addEntry',
    tag: 'Controls',
    permission: 'lists:write',
    stepUp: 'live',
    summary: 'Allow or deny a number',
    description:
      'From then on payouts to a denied number are refused with `RECIPIENT_DENIED`. One that was ordered before and has ' +
      'not left yet waits for a person, and is approved only once the number is no longer denied.',
    schema: { body: EntryBody, data: { 201: EntryObject } },
    async handle({ caller: { book, actor }, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(EntryBody.properties));
      const values = read.checked({
        list: readListName({ read, body }),
        ...readEntry({ read, body }, deps.now()),
      });
      const owner = { bookId: book.id, merchantId: book.merchantId };
      return answer(await addEntry(deps, { actor, owner, ...values }), deps.now());
    },
  };
}

export function addCompanyEntryOperation(deps: ListDeps): StaffOperation {
  return {
    method: 'POST',
    path: '/lists',
    operationId: 'addCompanyEntry',
    tag: 'Operations',
    permission: 'merchants:write',
    stepUp: true,
    summary: 'Deny a number to all merchants',
    description:
      'In every book, live and test. Merchants see that the company denies it, and not why.',
    schema: { body: CompanyEntryBody, data: { 201: EntryObject } },
    async handle({ caller: { actor }, body = new Map() }) {
      const read = createFieldReader(body, Object.keys(CompanyEntryBody.properties));
      const values = read.checked(readEntry({ read, body }, deps.now()));
      const request = { actor, owner: 'company', list: 'deny', ...values } as const;
      return answer(await addEntry(deps, request), deps.now());
    },
  };
}

function readEntry(fields: BodyFields, now: Date) {
  return {
    phone: readNumber(fields),
    reason: readReason(fields),
    expiresAt: readExpiry(fields, now),
  };
}

function readListName({ read, body }: BodyFields) {
  const value = body.get('list');
  const list = LISTS.find((known) => known === value);
  if (value === undefined) read.problem('list', 'REQUIRED');
  else if (list === undefined) read.problem('list', 'INVALID_TEXT', `One of ${LISTS.join(', ')}.`);
  return list;
}

function answer(entry: ListEntry, now: Date) {
  return { status: 201, message: 'Entry added', data: renderEntry(entry, now) } as const;
}
