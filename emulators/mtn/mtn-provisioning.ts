import { randomBytes } from 'node:crypto';
import { answerJson, type OperatorRequest, type PlainAnswer } from '../kernel/answer.ts';
import { readJsonObject } from '../kernel/read-json-object.ts';
import { addUser, header, type MtnAccess } from './mtn-access.ts';
import { badRequest, refuse } from './mtn-errors.ts';
import { isUuidV4 } from './uuid-v4.ts';

const API_KEY_BYTES = 16;
const HOST_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/** POST /v1_0/apiuser */
export function createApiUser(access: MtnAccess, { headers, body }: OperatorRequest): PlainAnswer {
  const id = header(headers, 'x-reference-id') ?? '';
  if (!isUuidV4(id)) return badRequest('X-Reference-Id is not a UUID of version 4.');
  const host = readJsonObject(body)?.['providerCallbackHost'];
  if (typeof host !== 'string' || !HOST_NAME.test(host)) {
    return badRequest('providerCallbackHost is not a host name.');
  }
  if (access.users.has(id)) return refuse('RESOURCE_ALREADY_EXIST');
  addUser(access, id, { providerCallbackHost: host, apiKey: null });
  return { status: 201 };
}

/** POST /v1_0/apiuser/{apiUser}/apikey. It replaces the earlier key, which is never shown again. */
export function createApiKey(access: MtnAccess, id: string): PlainAnswer {
  const user = access.users.get(id);
  if (user === undefined) return refuse('RESOURCE_NOT_FOUND');
  const apiKey = randomBytes(API_KEY_BYTES).toString('hex');
  user.apiKey = apiKey;
  return answerJson(201, { apiKey });
}

/** GET /v1_0/apiuser/{apiUser} */
export function showApiUser(access: MtnAccess, id: string): PlainAnswer {
  const user = access.users.get(id);
  if (user === undefined) return refuse('RESOURCE_NOT_FOUND');
  return answerJson(200, {
    providerCallbackHost: user.providerCallbackHost,
    targetEnvironment: access.settings.targetEnvironment,
  });
}
