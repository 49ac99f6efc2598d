import { Type } from 'typebox';
import { MERCHANT_ROLES, STAFF_ROLES } from '../../domain/roles.ts';
import { PasskeyObject } from './passkey-schema.ts';
import { nullableText, optionalOrNull } from './plain-fields.ts';

const Time = (description: string) => Type.String({ format: 'date-time', description });
const NullableTime = (description: string) => nullableText({ format: 'date-time', description });

const MerchantRoleWord = Type.Unsafe<string>({
  type: 'string',
  enum: [...MERCHANT_ROLES],
  description: 'A role at a merchant.',
});

const SessionBook = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Send it as `x-book`.' }),
  mode: Type.Unsafe<string>({
    type: 'string',
    enum: ['test', 'live'],
    description: 'Whether its money is real.',
  }),
  roles: Type.Array(MerchantRoleWord, { description: 'The roles that hold in this book.' }),
});

const SessionMembership = Type.Object({
  merchant: Type.Object(
    {
      id: Type.String({ format: 'uuid', description: 'The id of the merchant.' }),
      name: Type.String({ description: 'The name of the merchant.' }),
    },
    { description: 'Where the person works.' },
  ),
  roles: Type.Array(MerchantRoleWord, { description: 'All roles there, each once.' }),
  books: Type.Array(SessionBook, { description: 'Those in which the person has a role.' }),
});

export const SessionObject = Type.Object(
  {
    person: Type.Object(
      {
        id: Type.String({ format: 'uuid', description: 'The id of the person.' }),
        name: Type.String({ description: 'The name of the person.' }),
        email: Type.String({ description: 'By which the person signs in.' }),
      },
      { description: 'Who is signed in.' },
    ),
    staffRoles: Type.Array(
      Type.Unsafe<string>({ type: 'string', enum: [...STAFF_ROLES], description: 'A staff role.' }),
      { description: 'Roles in the company that runs the service.' },
    ),
    memberships: Type.Array(SessionMembership, { description: 'One for each merchant.' }),
    steppedUpUntil: NullableTime('Until when the second factor counts; null: show it again.'),
    hasSecondFactor: Type.Boolean({ description: 'Whether one was shown in this session.' }),
    expiresAt: Time('When the session ends, however often it is used.'),
  },
  { $id: 'Session', description: 'Who is signed in, and what they may see.' },
);

const CODE = {
  description: 'Of the authenticator app, or a recovery code.',
  examples: ['492039'],
};

export const SignInBody = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      description: 'Capitals do not matter.',
      examples: ['owner@demo.test'],
    }),
    password: Type.String({
      minLength: 1,
      description: 'The password.',
      examples: ['correct horse battery staple'],
    }),
    code: optionalOrNull(Type.String(CODE)),
  },
  { additionalProperties: false },
);

export const CodeBody = Type.Object(
  { code: Type.String({ minLength: 1, ...CODE }) },
  { additionalProperties: false },
);

export const SteppedUp = Type.Object({
  steppedUpAt: Time('When the second factor was shown.'),
  until: Time('Until when it counts.'),
});

export const Nothing = Type.Object({}, { description: 'Nothing.' });
export const EmptyBody = Type.Object({}, { additionalProperties: false });

export const SignInMethods = Type.Object({
  password: Type.Boolean({ description: 'By e-mail address, password and code.' }),
  passkey: Type.Boolean({ description: 'By a passkey.' }),
  singleSignOn: Type.Boolean({ description: 'By the identity provider of the company.' }),
  demo: Type.Boolean({ description: 'There are demo people to try it out with.' }),
});

export const OwnSessions = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.String({ format: 'uuid', description: 'The id of the session.' }),
      current: Type.Boolean({ description: 'It is the one that asks.' }),
      address: Type.String({ description: 'The network address that it began from.' }),
      userAgent: Type.String({ description: 'What the browser says of itself.' }),
      createdAt: Time('When it began.'),
      lastUsedAt: Time('When it was used last, within half a minute.'),
      expiresAt: Time('When it ends.'),
    }),
    { description: 'Open sessions, the one used last first.' },
  ),
});

export const PasswordBody = Type.Object(
  {
    current: Type.String({
      minLength: 1,
      description: 'The password until now.',
      examples: ['correct horse battery staple'],
    }),
    password: Type.String({
      minLength: 12,
      maxLength: 128,
      description: 'The new one: hard to guess.',
      examples: ['seven lamps on the river'],
    }),
  },
  { additionalProperties: false },
);

export const TotpOptions = Type.Object({
  secret: Type.String({ description: 'To type into an authenticator app. Not stored yet.' }),
  uri: Type.String({ description: 'The same for a link.' }),
  qr: Type.String({ description: 'The same as a QR code: SVG text.' }),
});

export const TotpBody = Type.Object(
  {
    secret: Type.String({
      pattern: '^[A-Z2-7]{32}$',
      description: 'As the options gave it.',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    code: Type.String({
      pattern: '^[0-9]{6}$',
      description: 'What the app shows now.',
      examples: ['492039'],
    }),
  },
  { additionalProperties: false },
);

const RecoveryCodeList = Type.Array(Type.String({ description: 'Works once.' }), {
  description: 'Ten codes, shown only here.',
});
export const TotpSet = Type.Object({ recoveryCodes: Type.Optional(RecoveryCodeList) });
export const RecoveryCodes = Type.Object({ recoveryCodes: RecoveryCodeList });

export const FactorsObject = Type.Object({
  totp: Type.Union([Type.Object({ createdAt: Time('When it was set up.') }), Type.Null()], {
    description: 'The authenticator app; null: none is set up.',
  }),
  passkeys: Type.Array(PasskeyObject, { description: 'The passkeys of the person.' }),
  recoveryCodesLeft: Type.Integer({ description: 'How many were not used yet.' }),
  resetAt: NullableTime(
    'When the first single sign-on ended the password and the factors that were set before it; null: never.',
  ),
});

const kept = (description: string) => Type.Optional(Type.Unsafe<unknown>({ description }));

/** What the console keeps and reads again: of any type. */
export const PreferencesObject = Type.Object(
  {
    theme: kept('Light, dark, or as the device has it.'),
    density: kept('How close the rows of lists are.'),
    timeZone: kept('The zone in which times are shown.'),
    singleKeys: kept('Whether single keys are shortcuts.'),
    columns: kept('The columns of each list.'),
  },
  { additionalProperties: false, description: 'What the console keeps for a person.' },
);
