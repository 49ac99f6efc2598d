import { Type } from 'typebox';
import { SCOPES } from '../../merchants/authenticated-key.ts';
import { nullableText, optionalOrNull } from './plain-fields.ts';

const ScopeList = Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...SCOPES] }), {
  minItems: 1,
  uniqueItems: true,
  description: 'What the key may do.',
});
const AddressList = Type.Array(Type.String(), {
  maxItems: 50,
  description: 'Addresses and ranges that it may be used from. Empty: any.',
  examples: [['41.72.96.0/24']],
});

export const KeyBody = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What people call it.',
      examples: ['Payroll server'],
    }),
    scopes: ScopeList,
    addresses: optionalOrNull(AddressList),
    expiresAt: optionalOrNull(
      Type.String({ format: 'date-time', description: 'When it ends by itself.' }),
    ),
  },
  { additionalProperties: false },
);

export const KEY_STATES = ['active', 'awaiting_confirmation', 'revoked', 'expired'] as const;

const Maker = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'The id of the person.' },
    name: { type: 'string', description: 'The name of the person then.' },
  },
  required: ['id', 'name'],
  description: 'Who made it; null: the staff of the service did.',
});

const keyFields = {
  id: Type.String({ format: 'uuid', description: 'Our id of the key.' }),
  name: Type.String({ description: 'What people call it.' }),
  hint: Type.String({ description: 'Its beginning and its last four characters.' }),
  scopes: ScopeList,
  addresses: AddressList,
  createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
  createdBy: Maker,
  expiresAt: nullableText({ format: 'date-time', description: 'When it ends; null: never.' }),
  lastUsedAt: nullableText({ format: 'date-time', description: 'Exact to a minute.' }),
  revokedAt: nullableText({ format: 'date-time', description: 'Null: it is not revoked.' }),
  confirmUntil: nullableText({
    format: 'date-time',
    description: 'Until when an owner may confirm it; null: it needs no confirmation.',
  }),
  state: Type.Unsafe<string>({
    type: 'string',
    enum: [...KEY_STATES],
    description: 'Only an active key works. One that awaits confirmation ends after 24 hours.',
  }),
};

export const KeyObject = Type.Object(keyFields, {
  $id: 'Key',
  description: 'An API key of the book, without its secret.',
});

export const KeyWithSecret = Type.Object({
  ...keyFields,
  secret: Type.String({ description: 'The key itself. Shown only here.' }),
});

export const KeyList = Type.Object({
  items: Type.Array(KeyObject, { description: 'The keys of the book, newest first.' }),
});
