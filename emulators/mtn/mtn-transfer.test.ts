import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memberOf } from './mtn-client.ts';
import { codeOf, endOf, startForTest, transferAs } from './mtn-test-emulator.ts';

describe('MTN: the end of a transfer', () => {
  const payee = (partyId: unknown, partyIdType: unknown = 'MSISDN') => ({
    payee: { partyIdType, partyId },
  });

  it('is shown as failed with HTTP 200 and a reason, as object or as text', async () => {
    for (const reasonAs of ['object', 'text'] as const) {
      await using mtn = await startForTest({ reasonAs });
      mtn.emulator.chooser.setRules([{ match: {}, preset: 'reject' }]);
      const { reference, seen } = await transferAs(mtn);
      assert.equal(seen.status, 202);
      const end = await endOf(mtn, reference);
      assert.equal(memberOf(end, 'status'), 'FAILED');
      assert.equal(memberOf(end, 'financialTransactionId'), undefined);
      const reason = { code: 'PAYEE_NOT_FOUND', message: 'Payee does not exist' };
      assert.deepEqual(memberOf(end, 'reason'), reasonAs === 'text' ? reason.code : reason);
      assert.deepEqual(mtn.emulator.backend.book(), []);
    }
  });

  it('can be any code of a rule, or that of an insufficient float', async () => {
    await using mtn = await startForTest({ reasonAs: 'text', floatMinor: 100n });
    const behaviour = { refusal: 'PAYEE_LIMIT_REACHED' };
    mtn.emulator.chooser.setRules([{ match: {}, preset: 'reject', behaviour, times: 1 }]);
    const limited = await transferAs(mtn);
    assert.equal(memberOf(await endOf(mtn, limited.reference), 'reason'), 'PAYEE_LIMIT_REACHED');
    const short = await transferAs(mtn);
    assert.equal(memberOf(await endOf(mtn, short.reference), 'reason'), 'NOT_ENOUGH_FUNDS');
  });

  it('can be a refusal of the submission with HTTP 500, and then the transfer does not exist', async () => {
    await using mtn = await startForTest({ refusals: 'onSubmit' });
    mtn.emulator.chooser.setRules([
      { match: { msisdnEndsIn: '1' }, preset: 'reject' },
      { match: { msisdnEndsIn: '2' }, preset: 'pending-then-failed' },
    ]);
    const { reference, seen } = await transferAs(mtn, payee('260966000001'));
    assert.deepEqual([seen.status, codeOf(seen)], [500, 'PAYEE_NOT_FOUND']);
    assert.equal((await mtn.client.status(reference)).status, 404);
    const again = await transferAs(mtn, payee('260966000001'), { 'x-reference-id': reference });
    assert.equal(codeOf(again.seen), 'PAYEE_NOT_FOUND');
    assert.equal(await transferAs(mtn, payee('260966000002')).then(({ seen }) => seen.status), 202);
    assert.equal((await transferAs(mtn, payee('260966000003'))).seen.status, 202);
    assert.equal(mtn.emulator.backend.book().length, 1);
  });

  it('can have numbers without quotes', async () => {
    await using mtn = await startForTest({ numbersUnquoted: true });
    const { reference } = await transferAs(mtn, { externalId: '4711' });
    const end = await endOf(mtn, reference);
    assert.equal(memberOf(end, 'amount'), 150.5);
    assert.equal(memberOf(end, 'externalId'), 4_711);
    assert.equal(memberOf(memberOf(end, 'payee'), 'partyId'), 260_966_123_456);
    const text = await transferAs(mtn, { externalId: 'po-1' });
    assert.equal(memberOf(await endOf(mtn, text.reference), 'externalId'), 'po-1');
  });

  it('is shown by inquiries as the behaviour says', async () => {
    await using mtn = await startForTest();
    mtn.emulator.chooser.setRules([
      { match: { msisdnEndsIn: '1' }, preset: 'wrong-amount' },
      { match: { msisdnEndsIn: '2' }, preset: 'wrong-number' },
      { match: { msisdnEndsIn: '3' }, preset: 'inquiry-down' },
      { match: { msisdnEndsIn: '4' }, preset: 'contradictory-inquiry' },
    ]);
    const amount = await transferAs(mtn, payee('260966000001'));
    assert.equal(memberOf(await endOf(mtn, amount.reference), 'amount'), '151.50');
    const number = await transferAs(mtn, payee('260966000002'));
    const shown = memberOf(await endOf(mtn, number.reference), 'payee');
    assert.equal(memberOf(shown, 'partyId'), '260966000003');
    const down = await transferAs(mtn, payee('260966000003'));
    const seen = await mtn.client.status(down.reference);
    assert.deepEqual([seen.status, codeOf(seen)], [503, 'SERVICE_UNAVAILABLE']);
    const contradictory = await transferAs(mtn, payee('260966000004'));
    const first = await endOf(mtn, contradictory.reference);
    const second = await endOf(mtn, contradictory.reference);
    assert.deepEqual(
      [memberOf(first, 'status'), memberOf(second, 'status')],
      ['FAILED', 'SUCCESSFUL'],
    );
  });

  it('can be a payment although the answer is an error of the operator', async () => {
    await using mtn = await startForTest();
    const expected = { 'pay-then-500': 500, 'pay-then-400': 400 } as const;
    for (const [preset, status] of Object.entries(expected)) {
      const name = preset as keyof typeof expected;
      mtn.emulator.chooser.setRules([{ match: {}, preset: name, times: 1 }]);
      const { reference, seen } = await transferAs(mtn);
      assert.equal(seen.status, status);
      assert.equal(memberOf(await endOf(mtn, reference), 'status'), 'SUCCESSFUL');
    }
    assert.equal(mtn.emulator.backend.book().length, 2);
  });

  it('is open after an expired token: nothing was accepted, and the reference can be used again', async () => {
    await using mtn = await startForTest();
    mtn.emulator.chooser.setRules([{ match: {}, preset: 'token-expired', times: 1 }]);
    const { reference, seen } = await transferAs(mtn);
    assert.equal(seen.status, 401);
    assert.equal((await mtn.client.status(reference)).status, 404);
    const again = await transferAs(mtn, {}, { 'x-reference-id': reference });
    assert.equal(again.seen.status, 202);
  });

  it('is not found until a late execution', async () => {
    await using mtn = await startForTest({ timeScale: 1, pendingMs: 0 });
    mtn.emulator.chooser.setRules([{ match: {}, preset: 'execute-late' }]);
    const { reference, seen } = await transferAs(mtn);
    assert.equal(seen.status, 202);
    assert.equal((await mtn.client.status(reference)).status, 404);
    assert.equal((await transferAs(mtn, {}, { 'x-reference-id': reference })).seen.status, 409);
    await mtn.emulator.backend.flush();
    assert.equal(memberOf(await endOf(mtn, reference), 'status'), 'SUCCESSFUL');
  });

  it('can be a payment although the answer breaks off in the middle of its body', async () => {
    await using mtn = await startForTest();
    mtn.emulator.chooser.setRules([{ match: {}, preset: 'pay-then-reset-mid-body' }]);
    await assert.rejects(mtn.client.transfer());
    assert.equal(mtn.emulator.requests().at(-1)?.status, 'resetMidBody');
    assert.equal(mtn.emulator.backend.book().length, 1);
  });
});
