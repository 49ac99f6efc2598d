import type { PersonActor } from '../../domain/actor.ts';
import type { ControlOwner } from '../../domain/control-owner.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { ListDeps } from '../../lists/add-entry.ts';
import { endEntry } from '../../lists/end-entry.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { EndEntryBody, EntryObject } from '../schemas/list-schema.ts';
import type { ApiAnswer, PeopleOperation, StaffOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { readReason } from './read-entry-body.ts';
import { renderEntry } from './render-entry.ts';

export function endEntryOperation(deps: ListDeps): PeopleOperation {
  return {
    ...DESCRIBED,
    operationId: 'endEntry',
    tag: 'Controls',
    permission: 'lists:write',
    stepUp: 'live',
    summary: 'Take a number off a list',
    description: 'At once. The entry stays, with who ended it and why.',
    handle: ({ caller: { book, actor }, params, body }) =>
      answer(deps, {
        actor,
        owner: { bookId: book.id, merchantId: book.merchantId },
        id: params.id,
        body,
      }),
  };
}

export function endCompanyEntryOperation(deps: ListDeps): StaffOperation {
  return {
    ...DESCRIBED,
    operationId: 'endCompanyEntry',
    tag: 'Operations',
    permission: 'merchants:write',
    stepUp: true,
    summary: "Take a number off the company's deny list",
    description: 'At once, for all merchants. Their own lists stay as they are.',
    handle: ({ caller: { actor }, params, body }) =>
      answer(deps, { actor, owner: 'company', id: params.id, body }),
  };
}

const DESCRIBED = {
  method: 'POST',
  path: '/lists/:id/end',
  schema: { params: idParameter('entry'), body: EndEntryBody, data: { 200: EntryObject } },
} as const;

async function answer(
  deps: ListDeps,
  request: Readonly<{
    actor: PersonActor;
    owner: ControlOwner;
    id: string | undefined;
    body: JsonObject | undefined;
  }>,
): Promise<ApiAnswer> {
  const { actor, owner, body = new Map() } = request;
  const read = createFieldReader(body, Object.keys(EndEntryBody.properties));
  const { reason } = read.checked({ reason: readReason({ read, body }) });
  const id = parseUuid(request.id ?? '');
  if (id === undefined) throw refuse('LIST_ENTRY_NOT_FOUND');
  const entry = await endEntry(deps, { actor, owner, id, reason });
  return { status: 200, message: 'Entry ended', data: renderEntry(entry, deps.now()) };
}
