import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** For tests: a device that makes passkeys and signs with them, written from the WebAuthn standard. */
export type Authenticator = Readonly<{
  /** In base64url, as browsers write it. */
  id: string;
  create(asked: CreationOptions, at: Place): object;
  sign(asked: RequestOptions, at: Place, changes?: Changes): object;
}>;

/** The page that the browser shows, and the relying party that the device believes it is for. */
export type Place = Readonly<{ origin: string; rpId?: string }>;

type CreationOptions = Readonly<{
  challenge: string;
  rp: Readonly<{ id?: string }>;
  user: Readonly<{ id: string }>;
}>;
type RequestOptions = Readonly<{ challenge: string; rpId?: string }>;
type Changes = Readonly<{
  /** What the device says how often it signed; default: once more than before. */
  counter?: number;
  isVerified?: boolean;
  userHandle?: string;
  /** Another device signs, under the id of this one. */
  signer?: Authenticator;
  type?: string;
}>;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const CREDENTIAL_ID_BYTES = 32;

const secrets = new WeakMap<Authenticator, (bytes: Buffer) => Buffer>();

export function createAuthenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(CREDENTIAL_ID_BYTES);
  const id = credentialId.toString('base64url');
  let counter = 0;
  let userHandle = '';
  const authenticator: Authenticator = {
    id,
    create({ challenge, rp, user }, place) {
      userHandle = user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const data = Buffer.concat([
        authenticatorData(
          place.rpId ?? rp.id ?? '',
          HAS_CREDENTIAL | USER_PRESENT | USER_VERIFIED,
          counter,
        ),
        Buffer.alloc(16),
        uint16(credentialId.length),
        credentialId,
        coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')),
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, place).toString('base64url'),
          attestationObject: attestation(data).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    sign({ challenge, rpId }, place, changes = {}) {
      counter = changes.counter ?? counter + 1;
      const flags = USER_PRESENT | (changes.isVerified === false ? 0 : USER_VERIFIED);
      const data = authenticatorData(place.rpId ?? rpId ?? '', flags, counter);
      const client = clientData(changes.type ?? 'webauthn.get', challenge, place);
      const signBytes = secrets.get(changes.signer ?? authenticator);
      const signature = signBytes?.(Buffer.concat([data, sha256(client)])) ?? Buffer.alloc(0);
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: changes.userHandle ?? userHandle,
        },
      };
    },
  };
  secrets.set(authenticator, (bytes) => sign('sha256', bytes, privateKey));
  return authenticator;
}

function sha256(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function clientData(type: string, challenge: string, { origin }: Place): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** CBOR: {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}. */
function coseKey(x: Buffer, y: Buffer): Buffer {
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([head, Buffer.from([0x21]), bytesOf(x), Buffer.from([0x22]), bytesOf(y)]);
}

/** CBOR: {"fmt": "none", "attStmt": {}, "authData": data}. */
function attestation(data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3]),
    textOf('fmt'),
    textOf('none'),
    textOf('attStmt'),
    Buffer.from([0xa0]),
    textOf('authData'),
    bytesOf(data),
  ]);
}

function textOf(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | text.length]), Buffer.from(text)]);
}

/** Up to 255 bytes. */
function bytesOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}
