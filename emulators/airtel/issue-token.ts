import { answerJson, type OperatorRequest, type PlainAnswer } from '../kernel/answer.ts';
import { readJsonObject } from '../kernel/read-json-object.ts';
import type { AirtelState } from './airtel-state.ts';

/** `POST /auth/oauth2/token`. */
export function issueToken(state: AirtelState, request: OperatorRequest): PlainAnswer {
  const { settings, credentials, tokens } = state;
  const fields = readJsonObject(request.body);
  const { client_id: id, client_secret: secret, grant_type: grantType } = fields ?? {};
  if (typeof id !== 'string' || typeof secret !== 'string' || typeof grantType !== 'string') {
    return answerJson(400, { error: 'invalid_request' });
  }
  if (grantType !== 'client_credentials') {
    return answerJson(400, { error: 'unsupported_grant_type' });
  }
  if (id !== credentials.clientId || secret !== credentials.clientSecret) {
    const description = 'Client authentication failed';
    return answerJson(401, { error: 'invalid_client', error_description: description });
  }
  const { tokenLifetimeSeconds, expiresInAs } = settings;
  return answerJson(200, {
    access_token: tokens.issue(),
    expires_in: expiresInAs === 'string' ? String(tokenLifetimeSeconds) : tokenLifetimeSeconds,
    token_type: 'bearer',
  });
}
