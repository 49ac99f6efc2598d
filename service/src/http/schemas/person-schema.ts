import { Type } from 'typebox';
import { MERCHANT_ROLES, STAFF_ROLES } from '../../domain/roles.ts';
import { ROLES_OF_PERSON_MAX } from '../../people/team-roles.ts';
import { nullableText, optionalOrNull } from './plain-fields.ts';
import { SessionObject } from './session-schema.ts';

const uuid = (description: string) => Type.String({ format: 'uuid', description });
const time = (description: string) => Type.String({ format: 'date-time', description });

const RoleObject = Type.Object(
  {
    role: Type.Unsafe<string>({
      type: 'string',
      enum: [...MERCHANT_ROLES, ...STAFF_ROLES],
      description: 'What the person may do.',
    }),
    bookId: nullableText({
      format: 'uuid',
      description: 'The one book in which the role holds; null: in all, or of the staff.',
    }),
  },
  { additionalProperties: false },
);

const Roles = Type.Array(RoleObject, { description: 'The roles of the person. They add up.' });

const RolesBody = Type.Array(
  Type.Object(
    {
      role: RoleObject.properties.role,
      bookId: optionalOrNull(
        Type.String({ format: 'uuid', description: 'The one book in which the role holds.' }),
      ),
    },
    { additionalProperties: false },
  ),
  { minItems: 1, maxItems: ROLES_OF_PERSON_MAX, description: 'Each once.' },
);

const Name = Type.String({
  minLength: 1,
  maxLength: 80,
  description: "The person's own name.",
  examples: ['Chanda Mwale'],
});
const Email = Type.String({
  maxLength: 254,
  description: 'The e-mail address, with which the person signs in.',
  examples: ['chanda@example.com'],
});

export const PersonRolesBody = Type.Object(
  {
    roles: RolesBody,
    before: optionalOrNull({
      ...RolesBody,
      description:
        'The roles of the person as you saw them. If they are others now, nothing is changed: 409 `CONTENT_CHANGED`.',
    }),
  },
  { additionalProperties: false },
);

export const InvitationBody = Type.Object(
  { name: Name, email: Email, roles: RolesBody },
  { additionalProperties: false },
);

export const StaffInvitationBody = Type.Object(
  {
    name: Name,
    email: Email,
    roles: RolesBody,
    merchantId: optionalOrNull(
      Type.String({
        format: 'uuid',
        description: 'Invites the first owner of this merchant, which has none yet.',
      }),
    ),
  },
  { additionalProperties: false },
);

const PersonObject = Type.Object({
  id: uuid('Our id of the person.'),
  name: Type.String({ description: "The person's own name." }),
  email: nullableText({
    description: 'The e-mail address; null: has a key for the command line and cannot sign in.',
  }),
  roles: Roles,
  secondFactor: Type.Unsafe<string>({
    type: 'string',
    enum: ['totp', 'passkey', 'none'],
    description: 'The second factor of the person.',
  }),
  lastSeenAt: nullableText({ format: 'date-time', description: 'Null: never signed in.' }),
  invitation: Type.Null({ description: 'Always null: open invitations are listed apart.' }),
});

const InvitationObject = Type.Object({
  id: uuid('Our id of the invitation.'),
  name: Type.String({ description: 'As the inviter wrote it.' }),
  email: Type.String({ description: 'Who is invited.' }),
  roles: Roles,
  invitedBy: Type.String({ description: 'Who invited.' }),
  expiresAt: time('When the link ends.'),
});

export const PeopleList = Type.Object({
  items: Type.Array(PersonObject, { description: 'At most 500, by name.' }),
  invitations: Type.Array(InvitationObject, { description: 'Open ones, the newest first.' }),
});

export const InvitedPerson = Type.Object({
  id: uuid('Our id of the invitation.'),
  link: Type.String({
    description: 'Give it to this person and no other. Shown only here, works once.',
  }),
  expiresAt: time('When the link ends: 24 hours from now.'),
  mailed: Type.Boolean({
    description: 'Whether the mail server took it. False: pass the link on.',
  }),
});

export const ChangedPerson = Type.Object({ id: uuid('Our id of the person.') });

export const EndedInvitation = Type.Object({ id: uuid('Our id of the invitation.') });

export const EndedSessions = Type.Object({
  id: uuid('Our id of the person.'),
  ended: Type.Integer({ description: 'How many sessions were open.' }),
});

export const InvitationView = Type.Object({
  name: Type.String({ description: 'As the inviter wrote it.' }),
  email: Type.String({ description: 'Who is invited.' }),
  merchant: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    properties: {
      id: { type: 'string', format: 'uuid', description: 'Our id of the merchant.' },
      name: { type: 'string', description: 'The name of the merchant.' },
    },
    required: ['id', 'name'],
    description: 'To which merchant; null: to the staff.',
  }),
  roles: Roles,
  needsSecondFactor: Type.Boolean({
    description: 'A person who is new must set up an authenticator app.',
  }),
  hasAccount: Type.Boolean({
    description:
      'The person has an account: accept while signed in to it, or with its password and code.',
  }),
  expiresAt: time('When the link ends.'),
});

export const InvitationToken = Type.Object({
  token: Type.String({ description: 'The end of the link.' }),
});

export const AcceptedInvitation = Type.Object({
  ...SessionObject.properties,
  recoveryCodes: Type.Unsafe<readonly string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'To sign in with, each once, when the authenticator app is lost. Shown only here; null: none were made.',
  }),
});

export const AcceptanceBody = Type.Object(
  {
    name: optionalOrNull(
      Type.String({ maxLength: 80, description: 'Of a person who is new; else as invited.' }),
    ),
    password: optionalOrNull(
      Type.String({
        maxLength: 128,
        description: 'New, or of the account; a person who is signed in to it gives none.',
        examples: ['correct horse battery staple'],
      }),
    ),
    totpSecret: optionalOrNull(
      Type.String({ maxLength: 32, description: 'Of a person who is new: from POST …/totp.' }),
    ),
    code: optionalOrNull(
      Type.String({ maxLength: 40, description: 'What the authenticator app shows now.' }),
    ),
  },
  { additionalProperties: false },
);
