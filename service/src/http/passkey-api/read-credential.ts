import { checkPlainText } from '../../domain/plain-text.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Assertion, NewCredential } from '../../people/passkeys/passkey.ts';
import type { FieldReader } from '../server/field-reader.ts';
import type { JsonObject, JsonValue } from '../server/strict-json.ts';

const NAME_LENGTH_MAX = 80;
/** 1,023 bytes, as WebAuthn allows, in base64url. */
const CREDENTIAL_ID_LENGTH_MAX = 1_364;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

type BodyFields = Readonly<{ read: FieldReader; body: JsonObject }>;

/** Broken values read as undefined, and are recorded. */
export function readChallengeId({ read, body }: BodyFields): string | undefined {
  const value = body.get('challengeId');
  if (value === undefined) read.problem('challengeId', 'REQUIRED');
  const id = typeof value === 'string' ? parseUuid(value) : undefined;
  if (value !== undefined && id === undefined) {
    read.problem('challengeId', 'INVALID_TEXT', 'Take challengeId from the options as it is.');
  }
  return id;
}

export function readPasskeyName({ read, body }: BodyFields): string | undefined {
  const value = body.get('name');
  if (value === undefined) read.problem('name', 'REQUIRED');
  if (typeof value !== 'string') {
    if (value !== undefined) read.problem('name', 'INVALID_TEXT', 'Must be a string.');
    return undefined;
  }
  const name = value.normalize('NFC').trim();
  const verdict = checkPlainText(name, { codePointsMax: NAME_LENGTH_MAX });
  if (name !== '' && verdict === 'ok') return name;
  if (name === '') read.problem('name', 'REQUIRED');
  else if (verdict === 'TOO_LONG') {
    read.problem('name', 'TOO_LONG', `At most ${NAME_LENGTH_MAX} characters.`);
  } else read.problem('name', 'INVALID_TEXT');
  return undefined;
}

export function readAssertion(fields: BodyFields): Assertion | undefined {
  const credential = readCredential(fields);
  if (credential === undefined) return undefined;
  const { id, response } = credential;
  const clientDataJSON = readBytes(response.get('clientDataJSON'));
  const authenticatorData = readBytes(response.get('authenticatorData'));
  const signature = readBytes(response.get('signature'));
  const userHandle = readBytes(response.get('userHandle')) ?? null;
  if (clientDataJSON === undefined) return refuseCredential(fields);
  if (authenticatorData === undefined || signature === undefined) return refuseCredential(fields);
  return { credentialId: id, clientDataJSON, authenticatorData, signature, userHandle };
}

export function readNewCredential(fields: BodyFields): NewCredential | undefined {
  const credential = readCredential(fields);
  if (credential === undefined) return undefined;
  const { id, response } = credential;
  const clientDataJSON = readBytes(response.get('clientDataJSON'));
  const attestationObject = readBytes(response.get('attestationObject'));
  if (clientDataJSON === undefined || attestationObject === undefined) {
    return refuseCredential(fields);
  }
  return { id, clientDataJSON, attestationObject };
}

/** Members that are not used are passed over: browsers add some with time. */
function readCredential(
  fields: BodyFields,
): Readonly<{ id: string; response: JsonObject }> | undefined {
  const value = fields.body.get('credential');
  if (value === undefined) {
    fields.read.problem('credential', 'REQUIRED');
    return undefined;
  }
  if (!(value instanceof Map)) return refuseCredential(fields);
  const id = readBytes(value.get('id'));
  const response = value.get('response');
  const isWhole =
    id !== undefined &&
    id.length <= CREDENTIAL_ID_LENGTH_MAX &&
    value.get('rawId') === id &&
    value.get('type') === 'public-key' &&
    response instanceof Map;
  return isWhole ? { id, response } : refuseCredential(fields);
}

function readBytes(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && BASE64URL.test(value) ? value : undefined;
}

function refuseCredential({ read }: BodyFields): undefined {
  read.problem('credential', 'INVALID_TEXT', 'Send what navigator.credentials gave, by toJSON().');
  return undefined;
}
