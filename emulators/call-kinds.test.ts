import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTestFolder } from './kernel/test-folder.ts';
import { type OperatorName, startOperator } from './start-operators.ts';

type Call = readonly [method: 'GET' | 'POST', path: string];

/** A submission, an inquiry and a call that is neither, at each operator. */
const CALLS: Readonly<
  Record<OperatorName, Readonly<{ submission: Call; inquiry: Call | null; other: Call }>>
> = {
  mtn: {
    submission: ['POST', '/disbursement/v1_0/transfer'],
    inquiry: ['GET', '/disbursement/v1_0/transfer/7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10'],
    other: ['POST', '/disbursement/token/'],
  },
  airtel: {
    submission: ['POST', '/standard/v3/disbursements'],
    inquiry: ['GET', '/standard/v3/disbursements/7c9b7a46'],
    other: ['POST', '/auth/oauth2/token'],
  },
  vodacom: {
    submission: ['POST', '/openapi/ipg/v2/vodacomTZN/b2cPayment/'],
    inquiry: ['GET', '/openapi/ipg/v2/vodacomTZN/queryTransactionStatus/'],
    other: ['GET', '/openapi/ipg/v2/vodacomTZN/getSession/'],
  },
  zamtel: {
    submission: ['GET', '/ZampayRestProd/B2CReq'],
    inquiry: null,
    other: ['GET', '/'],
  },
  pawapay: {
    submission: ['POST', '/v2/payouts'],
    inquiry: ['GET', '/v2/payouts/7c9b7a46-2a6f-4f7f-9d0b-1e1d5b0b7a10'],
    other: ['GET', '/v2/wallet-balances'],
  },
};

describe('a throttle', () => {
  for (const [name, calls] of Object.entries(CALLS)) {
    it(`applies to submissions and inquiries at ${name} separately`, async () => {
      await using folder = await createTestFolder();
      const emulator = await startOperator(name as OperatorName, {
        port: 0,
        folder: join(folder.path, name),
        timeScale: 1,
        callbackBaseUrl: null,
        callsPerSecond: null,
      });
      const refused = async (on: string): Promise<readonly boolean[]> => {
        await fetch(`${emulator.url}/_emulator/throttle`, {
          method: 'PUT',
          body: JSON.stringify({ on, status: 503, retryAfterS: 77 }),
        });
        const seen: boolean[] = [];
        for (const call of [calls.submission, calls.inquiry, calls.other]) {
          if (call === null) continue;
          const [method, path] = call;
          const answer = await fetch(`${emulator.url}${path}`, { method });
          await answer.arrayBuffer();
          seen.push(answer.headers.get('retry-after') === '77');
        }
        return seen;
      };
      try {
        const expected = (...seen: readonly boolean[]) =>
          calls.inquiry === null ? [seen[0], seen[2]] : seen;
        assert.deepEqual(await refused('submission'), expected(true, false, false));
        assert.deepEqual(await refused('inquiry'), expected(false, true, false));
        assert.deepEqual(await refused('both'), expected(true, true, false));
      } finally {
        await emulator.close();
      }
    });
  }
});
