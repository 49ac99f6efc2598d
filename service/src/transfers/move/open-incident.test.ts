import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openRecordingProcess, RECORDING_ROUTE } from '../../../test/recording-process.ts';
import { moveTo, storeDoubt } from '../../../test/stored-doubt.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import type { Outcome } from '../../domain/outcome.ts';
import type { Transfer } from '../../domain/transfer.ts';
import { findTransfer } from '../read/find-transfer.ts';

const PAID: Outcome = { kind: 'paid', operatorTransactionId: null, confirmed: [] };

let test: TestDatabase;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

async function read(transfer: Transfer): Promise<Transfer> {
  return (await findTransfer(test.database, transfer)) ?? assert.fail();
}

/** A failed transfer that a process inquires about because a callback said "paid". */
async function claimFailed({ leaseOwner }: { leaseOwner: string }): Promise<Transfer> {
  const doubt = await storeDoubt(test.database, { route: RECORDING_ROUTE });
  const failed = await moveTo(test.database, doubt, 'failed');
  const text = `update transfers set lease_owner = $2, next_action_at = now() + interval '1 hour'
    where id = $1`;
  await test.database.query({ name: '', text }, [failed.id, leaseOwner]);
  return read(failed);
}

async function incidentsOf({ id }: Transfer): Promise<readonly string[]> {
  const text = 'select kind from incidents where transfer_id = $1';
  const rows = await test.database.query<{ kind: string }>({ name: '', text }, [id]);
  return rows.map(({ kind }) => kind);
}

async function setMerchantState({ bookId }: Transfer, state: string): Promise<void> {
  const text = `update merchants m set state = $2 from books b
    where b.id = $1 and m.id = b.merchant_id`;
  await test.database.query({ name: '', text }, [bookId, state]);
}

describe('an answer that contradicts a recorded end', () => {
  it('is an incident, once, and no further inquiry is planned', async () => {
    const inquiring = openRecordingProcess(test.database);
    const failed = await claimFailed(inquiring);
    await inquiring.record(failed, PAID);
    await inquiring.record(failed, PAID);
    assert.deepEqual(await incidentsOf(failed), ['paid_after_failure']);
    assert.equal((await read(failed)).nextActionAt, null);
  });

  it('is an incident also when the process ends right after the commit of the inquiry', async () => {
    const killed = openRecordingProcess(test.database, {
      afterCommit: () => {
        throw new Error('killed');
      },
    });
    const failed = await claimFailed(killed);
    await assert.rejects(killed.record(failed, PAID), /killed/);
    const { nextActionAt } = await read(failed);
    assert.deepEqual([nextActionAt, await incidentsOf(failed)], [null, ['paid_after_failure']]);
  });

  it('leaves the transfer due while no incident can be opened', async () => {
    const inquiring = openRecordingProcess(test.database);
    const failed = await claimFailed(inquiring);
    await setMerchantState(failed, 'closing');
    await assert.rejects(inquiring.record(failed, PAID), { code: 'KF001' });
    assert.notEqual((await read(failed)).nextActionAt, null);
    await setMerchantState(failed, 'open');
    await inquiring.record(failed, PAID);
    assert.deepEqual(await incidentsOf(failed), ['paid_after_failure']);
    assert.equal((await read(failed)).nextActionAt, null);
  });
});
