import { mayInBook } from '../../domain/roles.ts';
import { SCOPES, type Scope } from '../../merchants/authenticated-key.ts';
import { issueKey, type KeyDeps } from '../../merchants/issue-key.ts';
import { readAddresses } from '../../merchants/read-key-rules.ts';
import { readName } from '../../merchants/read-name.ts';
import { rolesIn } from '../../people/session.ts';
import type { Database } from '../../postgres/database.ts';
import { type BodyFields, readOptionalTime } from '../merchant-api/read-webhook-body.ts';
import { KeyBody, KeyWithSecret } from '../schemas/key-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { PersonInBook } from '../server/session-guard.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { withKeyRefusals } from './refuse-key.ts';
import { renderKey } from './render-key.ts';

export type KeyApiDeps = KeyDeps & Readonly<{ directory: Database }>;

export function createKeyOperation(deps: KeyApiDeps): PeopleOperation {
  return {
    method: 'POST',
    path: '/keys',
    operationId: 'createKey',
    tag: 'Keys',
    permission: 'keys:write',
    stepUp: 'live',
    summary: 'Create an API key',
    description:
      'The `secret` is shown only here. A key of a live book that a person without the role of an ' +
      'owner makes does not work until an owner, who is another person, has confirmed it; after 24 ' +
      'hours without that it is ended.',
    schema: { body: KeyBody, data: { 201: KeyWithSecret } },
    async handle({ caller, body = new Map() }) {
      const { book, actor } = caller;
      const values = readKeyBody(body, deps.now());
      const issued = await withKeyRefusals(async () =>
        issueKey(deps, {
          actor,
          bookId: book.id,
          mode: book.mode,
          name: readName(values.name, 'key'),
          scopes: values.scopes,
          addresses: readAddresses(values.addresses ?? []),
          expiresAt: values.expiresAt,
          mustBeConfirmed: mustBeConfirmed(caller),
        }),
      );
      const { id, name } = caller.session.person;
      const stored = {
        ...issued,
        merchant: '',
        createdBy: { id, name },
        confirmedAt: null,
        revokedAt: null,
        lastUsedAt: null,
      };
      return {
        status: 201,
        message: issued.confirmUntil === null ? 'Key created' : 'Key created, awaits confirmation',
        data: { ...renderKey(stored, issued.createdAt), secret: issued.text },
      };
    },
  };
}

/** A person who may confirm keys needs no confirmation, and no key of a test book does. */
function mustBeConfirmed({ book, session }: PersonInBook): boolean {
  if (book.mode === 'test') return false;
  return !mayInBook(rolesIn(session, book.merchantId), book, 'keys:confirm');
}

function readKeyBody(body: JsonObject, now: Date) {
  const read = createFieldReader(body, Object.keys(KeyBody.properties));
  const name = read.optionalText('name');
  if (name === null) read.problem('name', 'REQUIRED');
  const expiresAt = readOptionalTime({ read, body }, 'expiresAt');
  if (expiresAt instanceof Date && expiresAt <= now) {
    read.problem('expiresAt', 'INVALID_TIME', 'A time to come.');
  }
  return read.checked({
    name: name ?? undefined,
    scopes: readScopeList({ read, body }),
    addresses: readAddressList({ read, body }),
    expiresAt,
  });
}

function readScopeList({ read, body }: BodyFields): readonly Scope[] | undefined {
  const value = body.get('scopes');
  if (value === undefined) read.problem('scopes', 'REQUIRED');
  else if (!Array.isArray(value)) read.problem('scopes', 'INVALID_SCOPES');
  else {
    const scopes = SCOPES.filter((scope) => value.includes(scope));
    if (scopes.length > 0 && scopes.length === value.length) return scopes;
    read.problem('scopes', 'INVALID_SCOPES');
  }
  return undefined;
}

function readAddressList({ read, body }: BodyFields): readonly string[] | null | undefined {
  const value = body.get('addresses') ?? null;
  if (value === null) return null;
  const texts = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  if (Array.isArray(value) && texts.length === value.length) return texts;
  read.problem('addresses', 'INVALID_ADDRESSES');
  return undefined;
}
