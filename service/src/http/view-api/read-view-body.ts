import { checkPlainText } from '../../domain/plain-text.ts';
import { refuse } from '../../domain/refusal.ts';
import { mayInBook } from '../../domain/roles.ts';
import {
  VIEW_COLUMN_LENGTH_MAX,
  VIEW_COLUMNS_MAX,
  VIEW_NAME_LENGTH_MAX,
  VIEW_QUERY_LENGTH_MAX,
  type ViewChoice,
} from '../../people/saved-views/saved-view.ts';
import { rolesIn } from '../../people/session.ts';
import type { BodyFields } from '../merchant-api/read-webhook-body.ts';
import { ViewBody } from '../schemas/view-schema.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { PersonInBook } from '../server/session-guard.ts';
import type { JsonObject } from '../server/strict-json.ts';

/** Throws FORBIDDEN when a person shares a view who may only read. */
export function readViewBody({ book, session }: PersonInBook, body: JsonObject): ViewChoice {
  const read = createFieldReader(body, Object.keys(ViewBody.properties));
  const fields = { read, body };
  const choice = read.checked({
    name: readText(fields, 'name', { min: 1, max: VIEW_NAME_LENGTH_MAX }),
    query: readText(fields, 'query', { min: 0, max: VIEW_QUERY_LENGTH_MAX }),
    columns: readColumns(fields),
    isShared: readIsShared(fields),
  });
  if (choice.isShared && !mayInBook(rolesIn(session, book.merchantId), book, 'payouts:write')) {
    throw refuse('FORBIDDEN', SHARING);
  }
  return choice;
}

const SHARING = { message: 'Your roles do not allow sharing a view. Keep it for yourself.' };

function readText(
  { read, body }: BodyFields,
  field: string,
  { min, max }: Readonly<{ min: number; max: number }>,
): string | undefined {
  const value = body.get(field);
  if (value === undefined) read.problem(field, 'REQUIRED');
  else if (typeof value !== 'string') read.problem(field, 'INVALID_TEXT', 'Must be a string.');
  else {
    const text = value.normalize('NFC').trim();
    const verdict = checkPlainText(text, { codePointsMax: max });
    if (verdict === 'TOO_LONG') read.problem(field, 'TOO_LONG', `At most ${max} characters.`);
    else if (verdict === 'INVALID_TEXT' || text.length < min) read.problem(field, 'INVALID_TEXT');
    else return text;
  }
  return undefined;
}

function readColumns({ read, body }: BodyFields): readonly string[] | undefined {
  const value = body.get('columns') ?? [];
  const names = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  const isSound =
    Array.isArray(value) &&
    names.length === value.length &&
    names.length <= VIEW_COLUMNS_MAX &&
    names.every((name) => checkPlainText(name, { codePointsMax: VIEW_COLUMN_LENGTH_MAX }) === 'ok');
  if (isSound) return names;
  read.problem('columns', 'INVALID_COLUMNS');
  return undefined;
}

function readIsShared({ read, body }: BodyFields): boolean | undefined {
  const value = body.get('isShared') ?? false;
  if (typeof value === 'boolean') return value;
  read.problem('isShared', 'INVALID_BOOLEAN');
  return undefined;
}
