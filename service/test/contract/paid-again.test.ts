import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { openIncident } from '../../src/transfers/move/open-incident.ts';
import { assertRefused, fieldsOf } from './api-client.ts';
import { openContract } from './open-contract.ts';
import { openOwnerClient } from './owner-client.ts';

const contract = await openContract();
after(() => contract.close());
const { merchant, database, api } = contract;
const bookId = merchant.books.test;
const person = await openOwnerClient({ database, api: contract.apiWith() }, merchant);

const REFUSED_PHONE = '+260977433903';
const CLOSE = `
  update incidents set closed_at = now(), closed_by = 'Test', note = 'It was not paid.' where transfer_id = $1`;

it('a retry waits for a person when the operator says before its time that it paid the first, and leaves only once that is settled', async () => {
  const first = await contract.initiate({ reference: 'a', phone: REFUSED_PHONE });
  await contract.transferOnce(first.id, ({ state }) => state === 'failed');
  const sendAt = new Date(Date.now() + 3_000).toISOString();
  const { id } = await contract.initiate({ reference: 'a.retry-1', sendAt });
  const transfer = { bookId, id: first.id };
  const said = { kind: 'paid_after_failure', at: new Date() } as const;
  await openIncident(database, { id: randomUUID(), transfer, ...said });
  await contract.transferOnce(id, ({ state }) => state === 'awaiting_approval');
  const why = fieldsOf((await person.get(`transfers/${id}/timeline`)).data['why']);
  assert.match(String(why['line']), /^It was not sent: it pays again what failed or was cancelled/);
  const { contentHash } = (await api.get(`transfers/${id}`)).data;
  const approve = () => person.post(`transfers/${id}/approve`, { contentHash });
  const refused = await approve();
  assertRefused(refused, 409, 'EARLIER_MAY_BE_PAID');
  assert.match(
    refused.message,
    /failed or was cancelled, .* Reject it, or .* close the incident, and approve it then\.$/,
  );
  await database.query({ name: '', text: CLOSE }, [first.id]);
  assert.equal((await approve()).status, 200);
  await contract.transferOnce(id, ({ state }) => state === 'succeeded');
});
