import assert from 'node:assert/strict';
import { forgetUsedCodes, type TestAccount, totpCode } from '../test-account.ts';
import type { Contract } from './open-contract.ts';

/** Sessions of this name are those of https. */
export const COOKIE = '__Host-kafue';
export const METRICS_TOKEN = 'a token of this test';
/** The tests are a proxy: each case has a network of its own, so that none slows another down. */
export const SIGN_IN_ENVIRONMENT = { TRUSTED_PROXIES: '127.0.0.1', METRICS_TOKEN };

let networks = 0;
/** A network that no other case of the process uses. */
export function newNetwork(): string {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${(networks % 250) + 1}`;
}

export type Sent = Readonly<{
  method?: string;
  body?: unknown;
  token?: string | undefined;
  network?: string;
  headers?: Readonly<Record<string, string>>;
}>;

type Answered = Readonly<{
  error?: Readonly<{ code: string; requestId: string; fields?: readonly { code: string }[] }>;
  person: Readonly<{ id: string; email: string }>;
  memberships: readonly unknown[];
  staffRoles: readonly string[];
  steppedUpUntil: string | null;
  hasSecondFactor: boolean;
  until: string;
  items: readonly Readonly<{ id: string; current: boolean; address: string; userAgent: string }>[];
  recoveryCodes: readonly string[];
  recoveryCodesLeft: number;
  totp: object | null;
  secret: string;
  uri: string;
  qr: string;
}>;

/** Calls of a browser below /api/v1/session. */
export function openSessionClient({ service, database }: Contract) {
  async function call(path: string, sent: Sent = {}) {
    const { method = 'GET', body, token, network = newNetwork(), headers = {} } = sent;
    const response = await fetch(`${service.baseUrl}/api/v1/session${path}`, {
      method,
      headers: {
        'x-forwarded-for': network,
        ...(token === undefined ? {} : { cookie: `${COOKIE}=${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { message: string; data: Answered };
    const cookie = response.headers.get('set-cookie') ?? '';
    const newToken = new RegExp(`^${COOKIE}=([^;]*)`).exec(cookie)?.[1];
    const { data, message } = answer;
    return { status: response.status, code: data?.error?.code, message, data, cookie, newToken };
  }

  const post = (path: string, body: unknown, sent: Sent = {}) =>
    call(path, { ...sent, method: 'POST', body });
  const signIn = (account: TestAccount, changes: object = {}, sent: Sent = {}) =>
    post('', { ...credentials(account), ...changes }, sent);
  return {
    call,
    post,
    signIn,
    signedIn: async (account: TestAccount, sent: Sent = {}): Promise<string> => {
      await forgetUsedCodes(database, account);
      const { status, newToken, message } = await signIn(account, {}, sent);
      assert.equal(status, 200, message);
      return newToken ?? '';
    },
    isOpen: async (token: string) => (await call('', { token })).status === 200,
    run: (text: string, ...values: readonly unknown[]) =>
      database.query({ name: '', text }, values),
  };
}

const credentials = ({ email, password, totpSecret }: TestAccount) => ({
  email,
  password,
  code: totpCode(totpSecret),
});
