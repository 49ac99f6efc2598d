import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CONVERSATION_ID,
  openConnector as open,
  PAID_ANSWER,
  PAYOUT,
  type Scripted,
} from '../../../test/fakes/fake-vodacom.ts';

const ok = (body: unknown, status = 201): Scripted => ({ status, body });

describe('a reversal', () => {
  it('names the transaction, and only an inquiry shows whether it happened', async () => {
    using line = await open(() => ok({ ...PAID_ANSWER }));
    const known = { operatorTransactionId: '4C123GE3' };
    const reply = await line.connector.recall?.(PAYOUT, known);
    assert.deepEqual(reply?.outcome, { kind: 'pending', inquireInMs: 5_000 });
    await line.connector.recall?.(PAYOUT, known);
    const [first, second] = line.server.seen;
    assert.equal(first?.method, 'PUT');
    assert.equal(first?.path, '/sandbox/ipg/v2/vodacomZMB/reversal/');
    const body = JSON.parse(first?.body ?? '');
    assert.deepEqual(body, {
      input_Country: 'ZMB',
      input_ServiceProviderCode: '000000',
      input_ThirdPartyConversationID: body.input_ThirdPartyConversationID,
      input_TransactionID: '4C123GE3',
    });
    assert.match(body.input_ThirdPartyConversationID, /^[0-9a-f]{32}$/);
    assert.notEqual(body.input_ThirdPartyConversationID, CONVERSATION_ID);
    assert.equal(second?.body, first?.body);
  });

  it('that is refused, lost or impossible never ends the payout', async () => {
    const known = { operatorTransactionId: '4C123GE3' };
    const answers: readonly Scripted[] = [
      { status: 400, body: { output_ResponseCode: 'INS-35' } },
      { status: 401, body: { output_ResponseCode: 'INS-6' } },
      'reset',
    ];
    for (const answer of answers) {
      using line = await open(() => answer);
      assert.equal((await line.connector.recall?.(PAYOUT, known))?.outcome.kind, 'unknown');
    }
    using line = await open(() => ok(PAID_ANSWER));
    const reply = await line.connector.recall?.(PAYOUT, { operatorTransactionId: null });
    assert.equal(reply?.outcome.kind, 'unknown');
    assert.equal(line.server.seen.length, 0);
  });
});

describe('a name', () => {
  const account = { phone: '+260977433571', operator: 'vodacom', country: 'zm' } as const;
  const NAME_ANSWER = {
    output_ResponseCode: 'INS-0',
    output_CustomerFirstName: 'Jane',
    output_CustomerLastName: 'Doe',
    output_ThirdPartyConversationID: '11111111222243338444555555555555',
  };

  it('is looked up as documented', async () => {
    using line = await open(() => ok(NAME_ANSWER, 200));
    assert.deepEqual(await line.connector.resolveName(account, { waitedMs: 0 }), {
      kind: 'resolved',
      accountName: 'Jane Doe',
    });
    const url = new URL(line.server.seen[0]?.path ?? '', 'http://x');
    assert.equal(url.pathname, '/sandbox/ipg/v2/vodacomZMB/queryBeneficiaryName/');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      input_CustomerMSISDN: '260977433571',
      input_Country: 'ZMB',
      input_ServiceProviderCode: '000000',
      input_ThirdPartyConversationID: '11111111222243338444555555555555',
      input_KycQueryType: 'Name',
    });
  });

  it('is missing only if the operator says that there is no such account', async () => {
    const answers: readonly (readonly [Scripted, string])[] = [
      [{ status: 400, body: { output_ResponseCode: 'INS-2051' } }, 'noAccount'],
      [{ status: 422, body: { output_ResponseCode: 'INS-2002' } }, 'noAccount'],
      [{ status: 500, body: { output_ResponseCode: 'INS-2051' } }, 'unreachable'],
      [{ status: 400, body: { output_ResponseCode: 'INS-997' } }, 'unreachable'],
      [{ status: 404, body: '<html>' }, 'unreachable'],
      [{ status: 200, body: { ...NAME_ANSWER, output_CustomerFirstName: 1 } }, 'resolved'],
      [{ status: 200, body: { output_ResponseCode: 'INS-0' } }, 'unreachable'],
      [
        { status: 200, body: { ...NAME_ANSWER, output_ThirdPartyConversationID: 'other' } },
        'unreachable',
      ],
      ['reset', 'unreachable'],
    ];
    for (const [scripted, kind] of answers) {
      using line = await open(() => scripted);
      const answer = await line.connector.resolveName(account, { waitedMs: 0 });
      assert.equal(answer.kind, kind, JSON.stringify(scripted));
    }
  });
});
