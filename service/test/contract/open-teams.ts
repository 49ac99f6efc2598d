import { randomUUID } from 'node:crypto';
import { totpCodeAt } from '../../src/people/totp.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import type { Contract } from './open-contract.ts';

export const PASSWORD = 'copper sunrise kettle plum';

type Role = Readonly<{ role: string; bookId: string | null }>;
/** What any of the calls answers; what is not there fails the assertion on it. */
type Data = Readonly<{
  error?: Readonly<{ code: string; fields: readonly Readonly<{ field: string }>[] }>;
  id: string;
  link: string;
  expiresAt: string;
  mailed: boolean;
  secret?: string;
  name: string;
  needsSecondFactor: boolean;
  hasAccount: boolean;
  recoveryCodes: readonly string[] | null;
  person: Readonly<{ id: string; name: string; email: string }>;
  memberships: readonly Readonly<{ merchant: Readonly<{ id: string }> }>[];
  staffRoles: readonly string[];
  items: readonly Readonly<{
    id: string;
    name: string;
    email: string;
    roles: readonly Role[];
    secondFactor: string;
  }>[];
  invitations: readonly Readonly<{ name: string }>[];
}>;
type Call = Readonly<{ method?: string; as?: TestPerson | string; body?: unknown; book?: string }>;

export const newEmail = (): string => `${randomUUID()}@example.test`;
export const everywhere = (...roles: readonly string[]) =>
  roles.map((role) => ({ role, bookId: null }));
export const tokenOf = (link: string): string => link.split('/').at(-1) ?? '';

/** The calls on people, of the service of a contract test. */
export function openTeams({ database, service }: Pick<Contract, 'database' | 'service'>) {
  async function call(path: string, { method = 'GET', as, body, book }: Call = {}) {
    const cookie = typeof as === 'string' ? as : as?.headers.cookie;
    const response = await fetch(`${service.baseUrl}/api/v1/${path}`, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(book === undefined ? {} : { 'x-book': book }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data: Data };
    const setCookie = response.headers.get('set-cookie')?.split(';')[0];
    return { status: response.status, code: data.error?.code, data, text, setCookie };
  }

  /** A merchant with an owner, so that tests do not meet. */
  async function open() {
    const merchant = await createTestMerchant(database);
    const personWith = (...roles: readonly ('owner' | 'maker' | 'viewer')[]) =>
      storePerson(database, { roles: roles.map((role) => ({ merchantId: merchant.id, role })) });
    const owner = await personWith('owner');
    const path = `merchants/${merchant.id}`;
    const invite = (body: object, as: TestPerson = owner) =>
      call(`${path}/invitations`, {
        method: 'POST',
        as,
        body: { name: 'Bupe Zulu', email: newEmail(), roles: everywhere('viewer'), ...body },
      });
    return { merchant, personWith, owner, path, invite };
  }

  async function accept(token: string, changes: object = {}) {
    const path = `session/invitations/${token}`;
    const { data } = await call(`${path}/totp`, { method: 'POST', body: {} });
    const totpSecret = data.secret;
    const code = totpSecret === undefined ? '123456' : totpCodeAt(totpSecret, new Date()).code;
    const body = { name: 'Bupe Zulu', password: PASSWORD, totpSecret, code, ...changes };
    return { ...(await call(path, { method: 'POST', body })), totpSecret: totpSecret ?? '' };
  }

  return { call, open, accept };
}
