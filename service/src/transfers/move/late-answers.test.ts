import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openRecordingProcess, RECORDING_ROUTE } from '../../../test/recording-process.ts';
import { FUNDED_MINOR, moveTo, readBalance, storeDoubt } from '../../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { NOT_FOUND_ANSWERS_MIN } from '../../domain/doubt-schedule.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findTransfer } from '../read/find-transfer.ts';

const NOT_FOUND: Outcome = { kind: 'notFound' };
const REJECTED: Outcome = { kind: 'rejected', failure: 'OPERATOR_REJECTED', cause: 'no' };
const MISMATCHED: Outcome = { kind: 'mismatched', contradicted: ['amount'], cause: 'another' };
const RETURNED: Outcome = { kind: 'returned', cause: 'taken back' };
const PAID_UNSPECIFIED: Outcome = { kind: 'paid', operatorTransactionId: null, confirmed: [] };
const PAID: Outcome = {
  kind: 'paid',
  operatorTransactionId: 'receipt',
  confirmed: ['amount', 'currency', 'number'],
};

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function change({ id }: Transfer, assignments: string): Promise<void> {
  const text = `update transfers set ${assignments} where id = $1`;
  await test.database.query({ name: '', text }, [id]);
}

async function read(transfer: Transfer): Promise<Transfer> {
  return (await findTransfer(test.database, transfer)) ?? assert.fail();
}

async function leaseOf({ id }: Transfer): Promise<unknown> {
  const text = 'select lease_owner, next_action_at from transfers where id = $1';
  const [row] = await test.database.query({ name: '', text }, [id]);
  return row;
}

async function incidentsOf({ id }: Transfer): Promise<readonly string[]> {
  const text = 'select kind from incidents where transfer_id = $1 order by kind';
  const rows = await test.database.query<{ kind: string }>({ name: '', text }, [id]);
  return rows.map(({ kind }) => kind);
}

/** A doubt that the first process inquires about until its lease ends and the second one takes it over. */
async function takeOver(assignments = 'checks = 1') {
  const slow = openRecordingProcess(test.database);
  const quick = openRecordingProcess(test.database);
  const seen = await claimDoubt(slow, assignments);
  await lease(seen, quick.leaseOwner);
  return { slow, quick, seen };
}

async function claimDoubt({ leaseOwner }: { leaseOwner: string }, assignments = 'checks = 1') {
  const doubt = await storeDoubt(test.database, { route: RECORDING_ROUTE });
  await change(doubt, assignments);
  await lease(doubt, leaseOwner);
  return read(doubt);
}

function lease(transfer: Transfer, leaseOwner: string): Promise<void> {
  return change(
    transfer,
    `lease_owner = '${leaseOwner}', next_action_at = now() + interval '1 hour'`,
  );
}

describe('"paid otherwise" that is recorded after the lease has ended', () => {
  it('is kept with the transfer, and leaves the lease of the other process alone', async () => {
    const { slow, seen } = await takeOver();
    const before = await leaseOf(seen);
    assert.deepEqual(await slow.record(seen, MISMATCHED), { kind: 'superseded' });
    const { state, eventSeq, contradictions } = await read(seen);
    assert.deepEqual([state, eventSeq, contradictions], ['in_doubt', seen.eventSeq, ['amount']]);
    assert.deepEqual(await leaseOf(seen), before);
  });

  it('is kept also when no process has taken the transfer over yet', async () => {
    const { slow, seen } = await takeOver();
    await change(seen, `lease_owner = '${slow.leaseOwner}', next_action_at = now()`);
    await slow.record(seen, MISMATCHED);
    assert.deepEqual((await read(seen)).contradictions, ['amount']);
  });

  it('keeps a success that does not report the amount from ending the transfer', async () => {
    const { slow, quick, seen } = await takeOver();
    const claimed = await read(seen);
    await slow.record(seen, MISMATCHED);
    await quick.record(claimed, PAID_UNSPECIFIED);
    assert.equal((await read(seen)).state, 'in_doubt');
    await lease(seen, quick.leaseOwner);
    await quick.record(await read(seen), PAID);
    assert.equal((await read(seen)).state, 'succeeded');
  });

  it('keeps a single refusal after it from releasing the hold', async () => {
    const { slow, quick, seen } = await takeOver();
    const claimed = await read(seen);
    await slow.record(seen, MISMATCHED);
    await quick.record(claimed, REJECTED);
    assert.equal((await read(seen)).state, 'in_doubt');
  });

  it('restarts the count of "not found"', async () => {
    const oneLess = `
      not_found_answers = ${NOT_FOUND_ANSWERS_MIN - 1}, doubt_began_at = now() - interval '1 hour',
      answers_lapse_at = now() + interval '1 hour', answers_count_from = now() - interval '1 ms'`;
    const { slow, quick, seen } = await takeOver(oneLess);
    const claimed = await read(seen);
    await slow.record(seen, MISMATCHED);
    await quick.record(claimed, NOT_FOUND);
    const { state, notFoundAnswers } = await read(seen);
    assert.deepEqual([state, notFoundAnswers], ['in_doubt', 1]);
  });

  it('is an incident when the transfer has succeeded meanwhile, and leaves its next inquiry alone', async () => {
    const { slow, quick, seen } = await takeOver();
    await quick.record(await read(seen), { ...PAID, inquireAgainInMs: 60_000 });
    await lease(seen, quick.leaseOwner);
    const before = await leaseOf(seen);
    assert.deepEqual(await slow.record(seen, MISMATCHED), {
      kind: 'contradicted',
      recorded: 'succeeded',
      incident: 'mismatch_after_success',
    });
    assert.deepEqual(await incidentsOf(seen), ['mismatch_after_success']);
    assert.deepEqual(await leaseOf(seen), before);
  });

  it('is told as an error while the row cannot be changed', async () => {
    const { slow, seen } = await takeOver();
    // As while its merchant moves to another cell.
    await lease(seen, 'ffffffff-ffff-4fff-bfff-ffffffffffff');
    await assert.rejects(slow.record(seen, MISMATCHED), /could not be kept/);
  });
});

describe('"returned" that is recorded after the lease has ended', () => {
  it('ends the transfer as succeeded, and the next inquiry reverses it', async () => {
    const { slow, quick, seen } = await takeOver();
    await slow.record(seen, RETURNED);
    const succeeded = await read(seen);
    assert.equal(succeeded.state, 'succeeded');
    assert.notEqual(succeeded.nextActionAt, null);
    await lease(seen, quick.leaseOwner);
    await quick.record(await read(seen), RETURNED);
    assert.equal((await read(seen)).state, 'reversed');
    const { availableMinor, heldMinor } = await readBalance(test.database, seen);
    assert.deepEqual([availableMinor, heldMinor], [FUNDED_MINOR, 0n]);
  });

  it('is left to the next inquiry where something contradicts what was sent', async () => {
    const { slow, seen } = await takeOver(`contradictions = '{amount}'`);
    const before = await leaseOf(seen);
    assert.deepEqual(await slow.record(seen, RETURNED), { kind: 'superseded' });
    assert.equal((await read(seen)).state, 'in_doubt');
    assert.deepEqual(await leaseOf(seen), before);
  });
});

describe('an answer that comes after two people decided', () => {
  const NO_AMOUNT = { abilities: { unconfirmedSuccessWaitMs: 60_000 } };

  const contradicting: readonly [string, Outcome, 'failed' | 'succeeded', string][] = [
    ['"paid otherwise"', MISMATCHED, 'failed', 'paid_after_failure'],
    ['"paid otherwise"', MISMATCHED, 'succeeded', 'mismatch_after_success'],
    ['"returned"', RETURNED, 'failed', 'paid_after_failure'],
    ['"paid" without an amount', PAID_UNSPECIFIED, 'failed', 'paid_after_failure'],
  ];
  for (const [says, outcome, decided, kind] of contradicting) {
    it(`and says ${says} is an incident where they decided on ${decided}`, async () => {
      const inquiring = openRecordingProcess(test.database, NO_AMOUNT);
      const seen = await claimDoubt(inquiring);
      const ended = await moveTo(test.database, seen, decided);
      const recorded = await inquiring.record(seen, outcome);
      assert.deepEqual(recorded, { kind: 'contradicted', recorded: decided, incident: kind });
      assert.deepEqual(await incidentsOf(seen), [kind]);
      const { state, eventSeq } = await read(seen);
      assert.deepEqual([state, eventSeq], [decided, ended.eventSeq]);
    });
  }

  it('and refuses it after a first success is an incident where they decided on succeeded', async () => {
    const inquiring = openRecordingProcess(test.database);
    const seen = await claimDoubt(inquiring, 'unconfirmed_successes = 1');
    await moveTo(test.database, seen, 'succeeded');
    await inquiring.record(seen, REJECTED);
    assert.deepEqual(await incidentsOf(seen), ['refused_after_success']);
  });

  it('and refuses a resubmission is none: the first submission may have been paid', async () => {
    const inquiring = openRecordingProcess(test.database);
    const seen = await claimDoubt(inquiring);
    await moveTo(test.database, seen, 'succeeded');
    const recorded = await inquiring.record(seen, REJECTED, { purpose: 'resubmit' });
    assert.deepEqual(recorded, { kind: 'superseded' });
    assert.deepEqual(await incidentsOf(seen), []);
  });

  for (const before of ['checks = 1', `contradictions = '{amount}'`]) {
    it(`and says "returned" credits the merchant where they decided on succeeded (${before})`, async () => {
      const inquiring = openRecordingProcess(test.database);
      const seen = await claimDoubt(inquiring, before);
      await moveTo(test.database, seen, 'succeeded');
      const recorded = await inquiring.record(seen, RETURNED);
      assert.equal(recorded.kind === 'recorded' && recorded.to, 'reversed');
      assert.equal((await read(seen)).state, 'reversed');
      const { availableMinor, heldMinor } = await readBalance(test.database, seen);
      assert.deepEqual([availableMinor, heldMinor], [FUNDED_MINOR, 0n]);
      assert.deepEqual(await incidentsOf(seen), []);
    });
  }

  it('and says what they decided changes nothing', async () => {
    for (const [decided, outcome] of [
      ['succeeded', PAID],
      ['failed', REJECTED],
    ] as const) {
      const inquiring = openRecordingProcess(test.database, { abilities: {} });
      const seen = await claimDoubt(inquiring);
      const ended = await moveTo(test.database, seen, decided);
      assert.deepEqual(await inquiring.record(seen, outcome), { kind: 'superseded' });
      assert.deepEqual(await incidentsOf(seen), []);
      assert.equal((await read(seen)).eventSeq, ended.eventSeq);
    }
  });
});

it('a superseded answer that decides nothing leaves the transfer as it is', async () => {
  const { slow, seen } = await takeOver();
  const before = await leaseOf(seen);
  for (const outcome of [NOT_FOUND, { kind: 'pending', inquireInMs: 1 }] as const) {
    assert.deepEqual(await slow.record(seen, outcome), { kind: 'superseded' });
  }
  assert.deepEqual(await leaseOf(seen), before);
  assert.deepEqual((await read(seen)).contradictions, []);
});
