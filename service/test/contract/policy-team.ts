import type { MerchantRole } from '../../src/domain/roles.ts';
import type { Mode } from '../../src/domain/transfer.ts';
import { createTestMerchant, type TestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { createApiClient } from './api-client.ts';
import type { Contract } from './open-contract.ts';

export type Answer = Readonly<{
  status: number;
  code: string | undefined;
  data: Policy & Draft & Replay;
}>;
type Draft = Readonly<{
  contentHash: string;
  problems: readonly Readonly<{ field: string; message: string }>[];
  replay: Replay | null;
  publishedBy: Readonly<{ id: string }> | null;
  rules: readonly Readonly<{ rule: string; text: string }>[];
}>;
export type Policy = Readonly<{
  version: number | null;
  document: object | null;
  draft: Draft | null;
  history: readonly Readonly<{ version: number; by: readonly object[] }>[];
}>;
type Replay = Readonly<{
  transfers: number;
  warned: number;
  refused: number;
  approvals: number;
  byRule: readonly Readonly<{
    rule: string;
    matched: number;
    refused: number;
    sum: string;
    samples: readonly string[];
  }>[];
  inForce: Replay | null;
}>;
type Broken = Readonly<{
  error: Readonly<{ code: string; message: string; fields?: readonly { field: string }[] }>;
}>;

type Call = Readonly<{ body?: unknown; ifMatch?: string; ifNoneMatch?: string; mode?: Mode }>;

/** A person of a merchant, as a browser calls for them. */
function callerOf(baseUrl: string, person: TestPerson, merchant: TestMerchant) {
  return async (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const { body, ifMatch, ifNoneMatch, mode = 'test' } = call;
    const response = await fetch(`${baseUrl}/api/v1/payments/${path}`, {
      method,
      headers: {
        ...person.headers,
        'x-book': merchant.books[mode],
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data } = (await response.json()) as { data: Answer['data'] & Broken };
    return { status: response.status, code: data.error?.code, data };
  };
}

/** A merchant of the test's own, so that its policy concerns no other test. */
export async function openPolicyTeam(
  { database, service: { baseUrl } }: Pick<Contract, 'database' | 'service'>,
  roles: readonly MerchantRole[],
) {
  const merchant = await createTestMerchant(database);
  const people = await Promise.all(
    roles.map((role) => storePerson(database, { roles: [{ merchantId: merchant.id, role }] })),
  );
  const calls = people.map((person) => callerOf(baseUrl, person, merchant));
  const [first = callerOf(baseUrl, await storePerson(database), merchant)] = calls;
  return {
    merchant,
    people,
    calls,
    call: first,
    api: createApiClient(baseUrl, merchant.keys.test),
  };
}

export const brokenFields = ({ data }: Answer) =>
  (data as unknown as Broken).error.fields?.map(({ field }) => field);
