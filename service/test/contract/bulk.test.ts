import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Contract, newReference, openContract, TRANSFERS } from './open-contract.ts';

const BULK = `/api/v1/payments/${TRANSFERS}/bulk`;
let contract: Contract;
before(async () => {
  contract = await openContract();
});
after(() => contract.close());

type Result = {
  status: boolean;
  message: string;
  data: { id?: string; reference?: string; error?: { code: string }; samePayload?: boolean };
};

async function sendBulk(
  transfers: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; results: Result[]; accepted: number; refused: number }> {
  const response = await fetch(`${contract.service.baseUrl}${BULK}`, {
    method: 'POST',
    headers: {
      'x-api-key': contract.merchant.keys.test,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ transfers }),
  });
  const { data } = (await response.json()) as {
    data: { results: Result[]; accepted: number; refused: number };
  };
  return { status: response.status, ...data };
}

const codesOf = (results: readonly Result[]) =>
  results.map(({ status, data }) => (status ? 'accepted' : data.error?.code));

describe('a bulk call', () => {
  it('decides each transfer separately, in order, with the answer that the single call would give', async () => {
    const walletId = await contract.merchant.createWallet({ fundedMinor: 1_000n });
    const order = (fields: object) => contract.order({ walletId, ...fields });
    const twice = newReference();
    const { status, results, accepted, refused } = await sendBulk([
      order({ amount: 6, reference: twice }),
      order({ amount: 6 }),
      order({ amount: 4, reference: twice }),
      order({ amount: 3 }),
      order({ amount: 'one' }),
      'not an object',
      order({ amount: 1 }),
      order({ amount: 0.01 }),
    ]);
    assert.equal(status, 200);
    assert.deepEqual(codesOf(results), [
      'accepted',
      'INSUFFICIENT_BALANCE',
      'DUPLICATE_REFERENCE',
      'accepted',
      'VALIDATION_ERROR',
      'INVALID_JSON',
      'accepted',
      'INSUFFICIENT_BALANCE',
    ]);
    assert.deepEqual({ accepted, refused }, { accepted: 3, refused: 5 });
    assert.equal(results[2]?.data.samePayload, false);
    assert.equal(results[0]?.message, 'Transfer initiated');
  });

  it('accepts 1,000 and stores each once, also if it is sent again', async () => {
    const transfers = Array.from({ length: 1_000 }, () => contract.order({ amount: 0.01 }));
    const first = await sendBulk(transfers);
    assert.equal(first.accepted, 1_000);
    const again = await sendBulk(transfers);
    assert.equal(again.refused, 1_000);
    assert.ok(again.results.every(({ data }) => data.samePayload === true));
  });

  it('replays the first answers under the same Idempotency-Key', async () => {
    const transfers = Array.from({ length: 3 }, () => contract.order({ amount: 0.01 }));
    const headers = { 'idempotency-key': newReference() };
    const first = await sendBulk(transfers, headers);
    const again = await sendBulk(transfers, headers);
    assert.deepEqual(again.results, first.results);
    assert.equal(again.accepted, 3);
  });

  it('is refused as a whole if it is not a list of 1 to 1,000 transfers, or too large', async () => {
    const many = Array.from({ length: 1_001 }, () => contract.order({}));
    for (const transfers of [[], 'none', { 0: {} }, null, many]) {
      assert.equal((await sendBulk(transfers)).status, 400);
    }
    const narration = 'x'.repeat(5_000);
    const large = Array.from({ length: 900 }, () => contract.order({ narration }));
    assert.equal((await sendBulk(large)).status, 413);
  });
});
