import { answerJson, type OperatorRequest, type PlainAnswer } from '../kernel/answer.ts';
import { readJsonObject } from '../kernel/read-json-object.ts';
import { header, type MtnAccess, mintToken, readBasicUser } from './mtn-access.ts';
import { badRequest, refuseAtGateway } from './mtn-errors.ts';

/** The real operator's firewall treats forms as an attack, and answers with status 200. */
const REQUEST_REJECTED: PlainAnswer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>Request Rejected</title></head><body></body></html>',
};

/** POST /disbursement/token/ */
export function answerToken(access: MtnAccess, request: OperatorRequest): PlainAnswer {
  const { headers, body } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return refuseAtGateway(411, 'Length Required');
  }
  const contentType = header(headers, 'content-type') ?? '';
  if (contentType.startsWith('application/x-www-form-urlencoded')) return REQUEST_REJECTED;
  const apiUser = readBasicUser(access, request);
  if (typeof apiUser !== 'string') return apiUser;
  // An empty body with Content-Length is accepted like the documented one.
  if (body.length > 0 && readJsonObject(body)?.['grant_type'] !== 'client_credentials') {
    return badRequest('grant_type is not client_credentials.');
  }
  return answerJson(200, {
    access_token: mintToken(access, apiUser),
    token_type: 'access_token',
    expires_in: access.settings.tokenLifetimeS,
  });
}
