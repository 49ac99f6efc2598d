import { parseUuid } from '../../domain/uuid.ts';
import { type InviteDeps, type Invited, invitePerson } from '../../people/invite-person.ts';
import { InvitationBody, InvitedPerson, StaffInvitationBody } from '../schemas/person-schema.ts';
import type { MerchantOperation, StaffOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { readEmailField, readNameField, readRoles } from './read-person-body.ts';

export function inviteToMerchantOperation(deps: InviteDeps): MerchantOperation {
  return {
    ...INVITE,
    operationId: 'invitePerson',
    permission: 'people:write',
    summary: 'Invite a person to a merchant',
    description:
      'The link works once, for 24 hours, and is shown only here; it is mailed too where mail is set up. It replaces ' +
      'an earlier invitation to the same address.',
    schema: { body: InvitationBody, data: { 201: InvitedPerson } },
    async handle({ caller: { actor, merchantId }, body = new Map() }) {
      const { fields, read } = readFields(body, Object.keys(InvitationBody.properties));
      const invited = await invitePerson(deps, {
        actor,
        team: { merchantId },
        ...read.checked(fields),
      });
      return answer(invited);
    },
  };
}

export function inviteToStaffOperation(deps: InviteDeps): StaffOperation {
  return {
    ...INVITE,
    operationId: 'inviteStaff',
    permission: 'staff:write',
    summary: 'Invite a person to the staff',
    description:
      'As for a merchant. With `merchantId` it invites the first owner of that merchant, who then invites the others.',
    schema: { body: StaffInvitationBody, data: { 201: InvitedPerson } },
    async handle({ caller: { actor }, body = new Map() }) {
      const { fields, read } = readFields(body, Object.keys(StaffInvitationBody.properties));
      const given = body.get('merchantId') ?? null;
      const id = typeof given === 'string' ? parseUuid(given) : undefined;
      const merchantId = given === null ? null : id;
      if (merchantId === undefined) read.problem('merchantId', 'INVALID_TEXT', 'A UUID.');
      const { merchantId: ofMerchant, ...values } = read.checked({ ...fields, merchantId });
      const team = { merchantId: ofMerchant };
      return answer(await invitePerson(deps, { actor, team, ...values }));
    },
  };
}

const INVITE = {
  method: 'POST',
  path: '/invitations',
  tag: 'People',
  stepUp: true,
  // Each may send a mail to an address that the inviter chooses: enough to invite a team at once, too few to annoy.
  rateLimit: { burst: 50, perSecond: 1 / 30 },
} as const;

function readFields(body: JsonObject, known: readonly string[]) {
  const read = createFieldReader(body, known);
  const given = { read, body };
  const fields = {
    name: readNameField(given),
    email: readEmailField(given),
    roles: readRoles(given),
  };
  return { read, fields };
}

function answer({ id, link, expiresAt, mailed }: Invited) {
  return {
    status: 201,
    message: mailed ? 'Invited; the link was mailed' : 'Invited; pass the link on',
    data: { id, link, expiresAt: expiresAt.toISOString(), mailed },
  } as const;
}
