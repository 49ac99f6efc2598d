import { type AcceptDeps, acceptInvitation } from '../../people/accept-invitation.ts';
import { AcceptanceBody, AcceptedInvitation, InvitationToken } from '../schemas/person-schema.ts';
import type { PublicOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { answerWithSession, originOf } from '../session-api/begin-session.ts';
import { readOptionalText } from '../session-api/read-text.ts';
import { readNameField } from './read-person-body.ts';

export function acceptInvitationOperation(deps: AcceptDeps): PublicOperation {
  return {
    method: 'POST',
    path: '/invitations/:token',
    operationId: 'acceptInvitation',
    tag: 'Session',
    summary: 'Accept an invitation',
    description:
      'Makes the account, or adds the roles to one that is there, and begins a session. A person who is signed in to ' +
      'that account gives no password, and the session goes on. `recoveryCodes` come once, with a new authenticator app.',
    schema: { params: InvitationToken, body: AcceptanceBody, data: { 200: AcceptedInvitation } },
    async handle(request) {
      const { params, body = new Map() } = request;
      const read = createFieldReader(body, Object.keys(AcceptanceBody.properties));
      const fields = { read, body };
      const given = read.checked({
        name: readOptionalText(fields, 'name') === null ? null : readNameField(fields),
        password: readOptionalText(fields, 'password'),
        totpSecret: readOptionalText(fields, 'totpSecret'),
        code: readOptionalText(fields, 'code'),
      });
      const accepted = await acceptInvitation(deps, {
        token: params['token'] ?? '',
        ...given,
        ...originOf(request),
      });
      const { recoveryCodes } = accepted;
      const answer = await answerWithSession(deps, request, accepted.token);
      const data = 'data' in answer && typeof answer.data === 'object' ? answer.data : {};
      return {
        status: 200,
        message: 'Invitation accepted',
        data: { ...data, recoveryCodes },
        ...(answer.headers === undefined ? {} : { headers: answer.headers }),
      };
    },
  };
}
