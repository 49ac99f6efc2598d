import { renderSVG } from 'uqr';
import { findInvitation } from '../../people/find-invitation.ts';
import { createTotpSecret, totpUri } from '../../people/totp.ts';
import type { Queryable } from '../../postgres/database.ts';
import { InvitationToken, InvitationView } from '../schemas/person-schema.ts';
import { EmptyBody, TotpOptions } from '../schemas/session-schema.ts';
import type { PublicOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';

type GetDeps = Readonly<{ directory: Queryable; now: () => Date }>;

export function getInvitationOperation(deps: GetDeps): PublicOperation {
  return {
    method: 'GET',
    path: '/invitations/:token',
    operationId: 'getInvitation',
    tag: 'Session',
    summary: 'Show an invitation',
    description:
      'For the person who has the link. One that was used, withdrawn, replaced or is too old does not exist.',
    schema: { params: InvitationToken, data: { 200: InvitationView } },
    async handle({ params }) {
      const found = await findInvitation(deps, params['token'] ?? '');
      const { name, email, merchant, roles, needsSecondFactor, expiresAt, person } = found;
      return {
        status: 200,
        message: 'Invitation',
        data: {
          name,
          email,
          merchant,
          roles,
          needsSecondFactor,
          hasAccount: person !== undefined,
          expiresAt: expiresAt.toISOString(),
        },
      };
    },
  };
}

type TotpDeps = GetDeps & Readonly<{ randomBytes: (size: number) => Uint8Array }>;

export function invitationTotpOperation(deps: TotpDeps): PublicOperation {
  return {
    method: 'POST',
    path: '/invitations/:token/totp',
    operationId: 'createInvitationTotp',
    tag: 'Session',
    summary: 'Begin to set up an authenticator app with an invitation',
    description: 'Gives a new secret, which is not stored: accept with it and a code.',
    schema: { params: InvitationToken, body: EmptyBody, data: { 200: TotpOptions } },
    async handle({ params, body = new Map() }) {
      createFieldReader(body, []).checked({});
      const { email } = await findInvitation(deps, params['token'] ?? '');
      const secret = createTotpSecret(deps.randomBytes);
      const uri = totpUri(secret, email);
      return {
        status: 200,
        message: 'Scan it, then accept with a code',
        data: { secret, uri, qr: renderSVG(uri) },
      };
    },
  };
}
