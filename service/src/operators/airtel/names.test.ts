import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FakeAnswer } from '../../../test/fakes/fake-server.ts';
import { connectToClosedPort, withGateway } from '../../../test/fakes/with-fake-airtel.ts';
import type { NameAnswer } from '../contract/connector.ts';

const ACCOUNT = { phone: '+260977123456', operator: 'airtel', country: 'zm' } as const;
const USER = { first_name: 'Jane', last_name: 'Banda', is_barred: false, msisdn: '977123456' };
const FOUND = { result_code: 'DP02200000001', response_code: 'DP02200000001', success: true };

function user(data: unknown, status: unknown = FOUND, http: number = 200): FakeAnswer {
  return { status: http, body: JSON.stringify({ data, status }) };
}

async function named(answer: FakeAnswer): Promise<NameAnswer | undefined> {
  let name: NameAnswer | undefined;
  await withGateway({ '/standard/v1/users/977123456': () => answer }, async ({ connector }) => {
    name = await connector.resolveName(ACCOUNT, { waitedMs: 0 });
  });
  return name;
}

describe('the name of an account', () => {
  it('is first and last name, in every documented spelling of the answer', async () => {
    const jane = { kind: 'resolved', accountName: 'Jane Banda' };
    assert.deepEqual(await named(user(USER)), jane);
    const older = { result_code: 'DP02200000001', success: true };
    assert.deepEqual(await named(user(USER, older)), jane);
    for (const msisdn of [977_123_456, '260977123456', '0977123456', undefined]) {
      assert.deepEqual(await named(user({ ...USER, msisdn })), jane);
    }
    const padded = { ...USER, first_name: ' Jane ', last_name: null };
    assert.deepEqual(await named(user(padded)), { kind: 'resolved', accountName: 'Jane' });
  });

  it('is reported as "no account" by the code alone', async () => {
    const missing = { response_code: 'DP02200000002', success: false };
    for (const http of [200, 400, 404]) {
      assert.deepEqual(await named(user(undefined, missing, http)), { kind: 'noAccount' });
    }
    assert.equal((await named(user(undefined, missing, 500)))?.kind, 'unreachable');
    assert.equal((await named({ status: 404, body: '{}' }))?.kind, 'unreachable');
  });

  it('of a barred account is reported as "no account"', async () => {
    assert.deepEqual(await named(user({ ...USER, is_barred: true })), { kind: 'noAccount' });
    assert.deepEqual(await named(user({ ...USER, is_barred: 'true' })), { kind: 'noAccount' });
  });

  it('is unreachable after any other answer', async () => {
    const answers: FakeAnswer[] = [
      'reset',
      { status: 403, body: '{"error":"forbidden"}' },
      { status: 200, body: '<html>' },
      user({ ...USER, first_name: '', last_name: ' ' }),
      user({ ...USER, msisdn: '977123457' }),
      user(USER, { response_code: 'DP02200000000', success: false }),
      user(USER, { response_code: 'DP02200000001', success: false }),
      user(USER, { response_code: 'DP00900001001', success: true }),
      user(USER, FOUND, 500),
    ];
    for (const answer of answers) {
      assert.equal((await named(answer))?.kind, 'unreachable', JSON.stringify(answer));
    }
    const connector = await connectToClosedPort();
    assert.equal((await connector.resolveName(ACCOUNT, { waitedMs: 0 })).kind, 'unreachable');
    connector.close?.();
  });

  it('is requested from the second version if the settings say so', async () => {
    await withGateway(
      { '/standard/v2/users/977123456': () => user(USER) },
      async ({ connector }) => {
        assert.equal((await connector.resolveName(ACCOUNT, { waitedMs: 0 })).kind, 'resolved');
      },
      { settings: { userEnquiryVersion: 'v2' } },
    );
  });
});
