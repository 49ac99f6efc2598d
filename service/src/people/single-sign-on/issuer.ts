import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  ResponseBodyError,
} from 'openid-client';
import { boundedFetch } from './bounded-fetch.ts';

/** Each request to the issuer; a person waits for two or three. */
const REQUEST_TIMEOUT_SECONDS = 5;
/** Clocks differ. */
const CLOCK_TOLERANCE_SECONDS = 30;
/** What the issuer says about itself is asked for again after this time. */
const METADATA_LIFE_MS = 60 * 60_000;
const SCOPE = 'openid email';

export type IssuerSettings = Readonly<{ issuer: URL; clientId: string; clientSecret: string }>;

/** What a browser must bring back from the issuer, each known to no other browser. */
export type SignOnSecrets = Readonly<{ state: string; nonce: string; codeVerifier: string }>;

/** What the issuer says about the person, checked and signed. */
export type Claims = Readonly<{
  email: string | null;
  isEmailVerified: boolean;
  /** How the person signed in at the issuer, in the words of RFC 8176. */
  methods: readonly string[];
  /** The class of authentication; null: not told. */
  contextClass: string | null;
}>;

/** The issuer cannot be asked now: not the person's fault. */
export class IssuerUnavailable extends Error {
  constructor(cause: unknown) {
    super('the issuer of single sign-on does not answer', { cause });
    this.name = 'IssuerUnavailable';
  }
}

/** What came back from the issuer proves nothing. */
export class SignOnRefused extends Error {
  constructor(cause: unknown) {
    super('the answer of the issuer does not hold', { cause });
    this.name = 'SignOnRefused';
  }
}

export type Issuer = Readonly<{
  /** Where the browser signs in. */
  signInUrl(redirectUri: string, secrets: SignOnSecrets): Promise<URL>;
  /** `answer`: the address at which the browser came back, with its query. */
  readAnswer(answer: URL, secrets: SignOnSecrets): Promise<Claims>;
}>;

type IssuerDeps = Readonly<{ monotonicMs: () => number; timeoutSeconds?: number }>;

/** Nothing is asked before the first person signs in: an issuer that is down must not keep the service from starting. */
export function createIssuer(
  settings: IssuerSettings,
  { monotonicMs, timeoutSeconds = REQUEST_TIMEOUT_SECONDS }: IssuerDeps,
): Issuer {
  let known: Readonly<{ metadata: Promise<Configuration>; untilMs: number }> | undefined;

  /** One request for all who wait. */
  function configuration(): Promise<Configuration> {
    if (known !== undefined && monotonicMs() < known.untilMs) return known.metadata;
    const metadata = discover(settings, timeoutSeconds);
    known = { metadata, untilMs: monotonicMs() + METADATA_LIFE_MS };
    metadata.catch(() => (known = undefined));
    return metadata;
  }

  return {
    async signInUrl(redirectUri, { state, nonce, codeVerifier }) {
      const metadata = await configuration();
      return buildAuthorizationUrl(metadata, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
    },
    async readAnswer(answer, { state, nonce, codeVerifier }) {
      const metadata = await configuration();
      const checks = {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
      };
      try {
        const tokens = await authorizationCodeGrant(metadata, answer, checks);
        return toClaims(tokens.claims() ?? {});
      } catch (error) {
        throw isUnavailable(error) ? new IssuerUnavailable(error) : new SignOnRefused(error);
      }
    },
  };
}

async function discover(
  { issuer, clientId, clientSecret }: IssuerSettings,
  timeout: number,
): Promise<Configuration> {
  const execute = [enableNonRepudiationChecks];
  // Only an issuer on this machine may have plain http: the configuration refuses others.
  if (issuer.protocol === 'http:') execute.push(allowInsecureRequests);
  try {
    return await discovery(
      issuer,
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      authenticateClient(clientSecret),
      { execute, timeout, [customFetch]: boundedFetch },
    );
  } catch (error) {
    throw new IssuerUnavailable(error);
  }
}

/** In the body where the issuer takes that: not every issuer decodes the header as the standard says. */
function authenticateClient(secret: string): ClientAuth {
  const [byHeader, byBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const authenticate = methods.includes('client_secret_post') ? byBody : byHeader;
    authenticate(server, ...request);
  };
}

const SERVER_ERROR_MIN = 500;
const UNANSWERED = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);
/** What fetch says where there is no connection, or no end of the answer. */
const BROKEN_OFF = new Set(['fetch failed', 'terminated']);

/** No answer, or one that says that the issuer has trouble. Everything else is a refusal. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.status >= SERVER_ERROR_MIN;
  if (error instanceof ClientError) {
    if (UNANSWERED.has(error.code ?? '')) return true;
    return error.cause instanceof Response && error.cause.status >= SERVER_ERROR_MIN;
  }
  return error instanceof TypeError && BROKEN_OFF.has(error.message);
}

function toClaims(claims: Readonly<Record<string, unknown>>): Claims {
  const { email, email_verified: isVerified, amr, acr } = claims;
  return {
    email: typeof email === 'string' ? email : null,
    isEmailVerified: isVerified === true,
    methods: Array.isArray(amr) ? amr.filter((word) => typeof word === 'string') : [],
    contextClass: typeof acr === 'string' ? acr : null,
  };
}
