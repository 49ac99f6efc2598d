import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CallbackReceiver, startCallbackReceiver } from './callback-receiver.ts';
import { type CallbackRecord, createCallbackSender } from './send-callback.ts';

const CALLBACK = {
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: '{"says":"päid"}',
} as const;

function createSender(deliverTo: string | null = null, timeoutMs: number = 10_000) {
  const records: CallbackRecord[] = [];
  const closing = new AbortController();
  const send = createCallbackSender({
    timeoutMs,
    now: () => 0,
    signal: closing.signal,
    record: (record) => records.push(record),
    deliverTo,
  });
  return { send, records, closing };
}

describe('sending a callback', () => {
  it('delivers method, path, headers and body, and records the answer', async () => {
    await using receiver: CallbackReceiver = await startCallbackReceiver();
    receiver.answerWith({ status: 202, body: 'thanks' });
    const { send, records } = createSender();
    const record = await send({ ...CALLBACK, url: `${receiver.url}/hooks?x=1` });
    const [seen] = receiver.seen();
    assert.equal(seen?.method, 'PUT');
    assert.equal(seen?.path, '/hooks?x=1');
    assert.equal(seen?.headers['content-type'], 'application/json');
    assert.equal(seen?.body, CALLBACK.body);
    assert.equal(record.status, 202);
    assert.equal(record.answer, 'thanks');
    assert.deepEqual(records, [record]);
  });

  it('is delivered to the configured address instead of its URL, with the Host header unchanged', async () => {
    await using receiver: CallbackReceiver = await startCallbackReceiver();
    const { send } = createSender(receiver.url);
    await send({ ...CALLBACK, url: 'https://payouts.example.com/hooks/mtn?a=b' });
    const [seen] = receiver.seen();
    assert.equal(seen?.path, '/hooks/mtn?a=b');
    assert.equal(seen?.headers.host, 'payouts.example.com');
  });

  it('records that the connection was refused', async () => {
    const receiver = await startCallbackReceiver();
    await receiver[Symbol.asyncDispose]();
    const { send } = createSender();
    const record = await send({ ...CALLBACK, url: receiver.url });
    assert.equal(record.status, null);
    assert.match(record.error ?? '', /ECONNREFUSED/);
  });

  it('records an invalid URL', async () => {
    const { send } = createSender();
    const record = await send({ ...CALLBACK, url: 'not an url' });
    assert.equal(record.status, null);
    assert.match(record.error ?? '', /Invalid URL/);
  });

  it('gives up on a receiver that does not answer', async () => {
    await using receiver: CallbackReceiver = await startCallbackReceiver();
    receiver.answerWith('silence');
    const { send } = createSender(null, 20);
    const record = await send({ ...CALLBACK, url: receiver.url });
    assert.equal(record.status, null);
    assert.match(record.error ?? '', /abort|timeout/i);
  });

  it('gives one that waited for a connection the whole time to be answered', async () => {
    await using receiver: CallbackReceiver = await startCallbackReceiver();
    receiver.answerWith('silence');
    const { send } = createSender(null, 200);
    const count = 65;
    await Promise.all(
      Array.from({ length: count }, () => send({ ...CALLBACK, url: receiver.url })),
    );
    assert.equal(receiver.seen().length, count);
  });

  it('is aborted when the emulator closes', async () => {
    await using receiver: CallbackReceiver = await startCallbackReceiver();
    receiver.answerWith('silence');
    const { send, closing } = createSender();
    const sent = send({ ...CALLBACK, url: receiver.url });
    closing.abort();
    assert.equal((await sent).status, null);
  });
});
