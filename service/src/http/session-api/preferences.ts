import { checkPlainText } from '../../domain/plain-text.ts';
import type { PeopleDeps } from '../../people/people-deps.ts';
import { findPreferences, storePreferences } from '../../people/preferences.ts';
import { PreferencesObject } from '../schemas/session-schema.ts';
import type { OwnOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { JsonNumber, type JsonValue } from '../server/strict-json.ts';

const PREFERENCES_BYTES_MAX = 4_096;
const KNOWN = Object.keys(PreferencesObject.properties);

export function getPreferencesOperation({
  directory,
}: Pick<PeopleDeps, 'directory'>): OwnOperation {
  return {
    method: 'GET',
    path: '/preferences',
    operationId: 'getPreferences',
    tag: 'Account',
    summary: 'Show your preferences',
    description: 'What the console keeps for you; an empty object at first.',
    schema: { data: { 200: PreferencesObject } },
    handle: async ({ caller: { session } }) => ({
      status: 200,
      message: 'Preferences',
      data: await findPreferences(directory, session.person.id),
    }),
  };
}

export function putPreferencesOperation(deps: Pick<PeopleDeps, 'directory' | 'now'>): OwnOperation {
  return {
    method: 'PUT',
    path: '/preferences',
    operationId: 'putPreferences',
    tag: 'Account',
    summary: 'Replace your preferences',
    description: `At most 4 KiB, with the members ${KNOWN.join(', ')}.`,
    bodyBytesMax: PREFERENCES_BYTES_MAX,
    schema: { body: PreferencesObject, data: { 200: PreferencesObject } },
    async handle({ caller: { session }, body = new Map() }) {
      const read = createFieldReader(body, KNOWN);
      for (const [name, value] of body) if (!isPlain(value)) read.problem(name, 'INVALID_TEXT');
      read.checked({});
      const preferences = Object.fromEntries(
        [...body].map(([name, value]) => [name, toPlainJson(value)]),
      );
      await storePreferences(deps, { personId: session.person.id, preferences });
      return { status: 200, message: 'Preferences stored', data: preferences };
    },
  };
}

/** Control characters and half characters are not kept: the database would refuse them. */
function isPlain(value: JsonValue): boolean {
  if (typeof value === 'string') {
    return checkPlainText(value, { codePointsMax: PREFERENCES_BYTES_MAX }) === 'ok';
  }
  if (Array.isArray(value)) return value.every(isPlain);
  return !(value instanceof Map) || [...value].flat().every(isPlain);
}

function toPlainJson(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, member]) => [name, toPlainJson(member)]));
}
