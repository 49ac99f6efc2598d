import { Type } from 'typebox';
import { nullableText } from './plain-fields.ts';

const ChallengeId = Type.String({
  format: 'uuid',
  description: 'Of the options. It can be answered once, within 5 minutes.',
});

/** What the WebAuthn standard defines is passed on as it is. */
function webAuthnObject(description: string) {
  return Type.Unsafe<unknown>({ type: 'object', additionalProperties: true, description });
}

export const PasskeyOptions = Type.Object({
  challengeId: ChallengeId,
  options: webAuthnObject(
    'For `navigator.credentials`, as `PublicKeyCredential.parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON` reads them.',
  ),
});

/** As short as the fields allow; real values are longer. */
function credentialWith(response: Readonly<Record<string, string>>) {
  const example = { id: 'y9Pq', rawId: 'y9Pq', type: 'public-key', response };
  return Type.Unsafe<unknown>({
    type: 'object',
    additionalProperties: true,
    description:
      'What `navigator.credentials` gave, by its `toJSON()`. Binary values are base64url.',
    examples: [example],
  });
}

export const PasskeyAnswerBody = Type.Object(
  {
    challengeId: ChallengeId,
    credential: credentialWith({
      clientDataJSON: 'eyJ0eXAi',
      authenticatorData: 'SZYN5YgO',
      signature: 'MEUCIQ',
    }),
  },
  { additionalProperties: false },
);

export const NewPasskeyBody = Type.Object(
  {
    challengeId: ChallengeId,
    credential: credentialWith({ clientDataJSON: 'eyJ0eXAi', attestationObject: 'o2NmbXQ' }),
    name: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'What you call it, such as the device that it is on.',
      examples: ['Work laptop'],
    }),
  },
  { additionalProperties: false },
);

export const PasskeyObject = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Our id of the passkey.' }),
  name: Type.String({ description: 'What its person calls it.' }),
  createdAt: Type.String({ format: 'date-time', description: 'When it was added.' }),
  lastUsedAt: nullableText({ format: 'date-time', description: 'Null: not used since.' }),
});

export const RemovedPasskey = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The passkey that is gone.' }),
});
