import { parseTime } from '../../domain/parse-time.ts';
import { issueKey } from '../../merchants/issue-key.ts';
import { readAddresses, readScopes } from '../../merchants/read-key-rules.ts';
import { readName } from '../../merchants/read-name.ts';
import { revokeKey } from '../../merchants/revoke-key.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { IssuedStaffKey, KeyBody, StaffKey } from '../schemas/staff-merchant-schema.ts';
import { OptionalReasonBody } from '../schemas/staff-transfer-schema.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { BOOK, requireBook } from './change-book.ts';
import { renderStoredKey } from './list-merchants.ts';
import { createStaffReader } from './read-staff-body.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export function issueKeyOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/books/:id/keys',
    operationId: 'issueKey',
    permission: 'merchants:write',
    stepUp: true,
    summary: 'Create an API key for a book',
    description: 'The key is shown this once; only its hash is stored.',
    schema: { params: BOOK, body: KeyBody, data: { 201: IssuedStaffKey } },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const given = readKey(body, deps.now());
      const { id: bookId, mode } = await requireBook(deps, params['id']);
      const issued = await issueKey(deps, { actor, bookId, mode, ...given });
      const { text: secret, merchantId: _, createdAt, expiresAt, ...key } = issued;
      return {
        status: 201,
        message: 'Key created. It is shown this once',
        data: {
          ...key,
          createdAt: createdAt.toISOString(),
          expiresAt: expiresAt?.toISOString() ?? null,
          secret,
        },
      };
    },
  });
}

export function revokeKeyOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/keys/:id/revoke',
    operationId: 'revokeAnyKey',
    permission: 'merchants:write',
    stepUp: true,
    summary: 'End an API key for good',
    description: 'Every process refuses it within a second. Revoking it again changes nothing.',
    schema: {
      params: pathParameter('id', 'The id of the key; not the key itself.'),
      body: OptionalReasonBody,
      data: { 200: StaffKey },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(OptionalReasonBody.properties));
      const { reason } = read.checked({ reason: read.optionalStatement('reason') });
      const { key } = await revokeKey(deps, { actor, id: params['id'] ?? '', reason });
      return { status: 200, message: 'Key revoked', data: renderStoredKey(key, deps.now()) };
    },
  });
}

function isAfter(time: Date | null | undefined, now: Date): boolean {
  return time instanceof Date && time > now;
}

function readKey(body: JsonObject, now: Date) {
  const read = createStaffReader(body, Object.keys(KeyBody.properties));
  const given = body.get('expiresAt') ?? null;
  const expiresAt = typeof given === 'string' ? parseTime(given) : null;
  if (given !== null && !isAfter(expiresAt, now)) {
    read.problem('expiresAt', 'INVALID_TIME', 'A time to come, such as 2030-01-01T00:00:00Z.');
  }
  return read.checked({
    name: read.text('name', (text) => readName(text, 'key')),
    scopes: read.texts('scopes', 'INVALID_SCOPES', readScopes),
    addresses: read.texts('addresses', 'INVALID_ADDRESSES', readAddresses),
    expiresAt: expiresAt ?? null,
  });
}
