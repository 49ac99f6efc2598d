import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './fake-server.ts';

/** For tests: an OpenID provider, written from the standard, with codes that work once. */
export type FakeIssuer = FakeServer &
  Readonly<{
    clientId: string;
    clientSecret: string;
    /** A person signs in at the address that the browser was sent to. Returns where the browser is sent back to. */
    signIn(location: string, claims: Claims, changes?: TokenChanges): URL;
    /** From now on every request is answered with this; undefined: as before. */
    answerAll(answer: FakeAnswer | undefined): void;
  }>;

type Claims = Readonly<Record<string, unknown>>;
/** What is wrong with the token. */
export type TokenChanges = Readonly<{
  claims?: Claims;
  /** Signed with a key that the issuer does not list. */
  isForged?: boolean;
  /** The header says that there is no signature, and there is none. */
  isUnsigned?: boolean;
}>;

/** How the client shows its secret. */
type AuthMethod = 'client_secret_basic' | 'client_secret_post';

type Granted = Readonly<{ request: URLSearchParams; claims: Claims; changes: TokenChanges }>;

const KEY_ID = 'key-1';
const TOKEN_LIFE_SECONDS = 300;

export async function startFakeIssuer({
  authMethod = 'client_secret_basic',
}: Readonly<{ authMethod?: AuthMethod }> = {}): Promise<FakeIssuer> {
  const clientId = 'kafue-console';
  const clientSecret = 'a secret: with % signs';
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const granted = new Map<string, Granted>();
  let forced: FakeAnswer | undefined;

  function metadata(issuer: string): FakeAnswer {
    return json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: [authMethod],
      code_challenge_methods_supported: ['S256'],
    });
  }

  function token(issuer: string, { headers, body }: FakeRequest): FakeAnswer {
    const form = new URLSearchParams(body);
    const shown =
      authMethod === 'client_secret_basic'
        ? readBasic(headers.authorization ?? '')
        : [form.get('client_id'), form.get('client_secret')];
    if (shown[0] !== clientId || shown[1] !== clientSecret) return refusal('invalid_client');
    const code = form.get('code') ?? '';
    const grant = granted.get(code);
    granted.delete(code);
    if (grant === undefined) return refusal('invalid_grant');
    const { request, claims, changes } = grant;
    const isSame =
      form.get('redirect_uri') === request.get('redirect_uri') &&
      s256(form.get('code_verifier') ?? '') === request.get('code_challenge');
    if (!isSame) return refusal('invalid_grant');
    const at = Math.floor(Date.now() / 1_000);
    const payload = {
      iss: issuer,
      aud: clientId,
      sub: 'person-1',
      nonce: request.get('nonce'),
      iat: at,
      exp: at + TOKEN_LIFE_SECONDS,
      ...claims,
      ...changes.claims,
    };
    const { privateKey } = changes.isForged === true ? foreign : own;
    const idToken = changes.isUnsigned === true ? unsigned(payload) : signed(payload, privateKey);
    return json({ access_token: randomUUID(), token_type: 'Bearer', id_token: idToken });
  }

  const server: FakeServer = await startFakeServer((request) => {
    if (forced !== undefined) return forced;
    const issuer = server.baseUrl;
    switch (`${request.method} ${request.path}`) {
      case 'GET /.well-known/openid-configuration':
        return metadata(issuer);
      case 'GET /keys': {
        const key = own.publicKey.export({ format: 'jwk' });
        return json({ keys: [{ ...key, kid: KEY_ID, alg: 'ES256', use: 'sig' }] });
      }
      case 'POST /token':
        return token(issuer, request);
      default:
        return { status: 404 };
    }
  });
  return {
    ...server,
    clientId,
    clientSecret,
    answerAll: (answer) => (forced = answer),
    signIn(location, claims, changes = {}) {
      const { origin, pathname, searchParams: request } = new URL(location);
      if (origin + pathname !== `${server.baseUrl}/authorize`)
        throw new Error(`not here: ${location}`);
      for (const [name, wanted] of WANTED) {
        if (!wanted.test(request.get(name) ?? '')) throw new Error(`${name} is wrong: ${location}`);
      }
      if (request.get('client_id') !== clientId) throw new Error('another client');
      const code = randomUUID();
      granted.set(code, { request, claims, changes });
      const back = new URL(request.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', request.get('state') ?? '');
      return back;
    },
  };
}

const WANTED: readonly (readonly [string, RegExp])[] = [
  ['response_type', /^code$/],
  ['scope', /^openid email$/],
  ['state', /^[\w-]{43}$/],
  ['nonce', /^[\w-]{43}$/],
  ['code_challenge', /^[\w-]{43}$/],
  ['code_challenge_method', /^S256$/],
];

function json(body: object): FakeAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(body) };
}

function refusal(error: string): FakeAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status: 400, headers, body: JSON.stringify({ error }) };
}

/** RFC 6749: both parts are encoded as in a form. */
function readBasic(header: string): readonly string[] {
  const text = Buffer.from(header.replace(/^Basic /, ''), 'base64').toString();
  return text.split(':').map((part) => new URLSearchParams(`text=${part}`).get('text') ?? '');
}

function s256(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

function encodePart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signed(payload: object, key: KeyObject): string {
  const text = `${encodePart({ alg: 'ES256', kid: KEY_ID, typ: 'JWT' })}.${encodePart(payload)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signature.toString('base64url')}`;
}

function unsigned(payload: object): string {
  return `${encodePart({ alg: 'none', typ: 'JWT' })}.${encodePart(payload)}.`;
}
