import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accepted, fakeKafue, payoutOf, referencesOf, refused } from '../../test/fake-kafue.ts';
import { sendPayouts } from './send-payouts.ts';

const PAYOUTS = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => payoutOf(name, index + 2));

async function send({ kafue }: ReturnType<typeof fakeKafue>, stop = new AbortController()) {
  const deps = { kafue, pause: async () => undefined, stop: stop.signal, onChunk: () => undefined };
  const { outcomes, endedBy } = await sendPayouts(deps, PAYOUTS, { chunkSize: 2 });
  return { kinds: outcomes.map(({ kind }) => kind), endedBy };
}

function results(references: readonly string[], judge = (name: string): object => accepted(name)) {
  return { status: 200, data: { results: references.map(judge), accepted: 0, refused: 0 } };
}

describe('sendPayouts', () => {
  it('stops at a call without an answer, and says of it that it is not known', async () => {
    const service = fakeKafue(({ body }, call) => {
      if (call === 2) throw new Error('reset');
      return results(referencesOf(body));
    });
    const { kinds, endedBy } = await send(service);
    assert.deepEqual(kinds, ['accepted', 'accepted', 'unknown', 'unknown', 'not_sent', 'not_sent']);
    assert.equal(endedBy?.code, 'CONNECTION_FAILED');
    assert.equal(service.calls(), 2);
  });

  it('says of a call that was turned away that it was not sent', async () => {
    const { kinds, endedBy } = await send(
      fakeKafue(() => ({
        status: 403,
        data: { error: { code: 'FORBIDDEN', retryable: false } },
      })),
    );
    assert.deepEqual(new Set(kinds), new Set(['not_sent']));
    assert.equal(endedBy?.code, 'FORBIDDEN');
  });

  it('says of a call that never left that it was not sent', async () => {
    const service = fakeKafue(() => {
      throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    });
    const { kinds, endedBy } = await send(service);
    assert.deepEqual(new Set(kinds), new Set(['not_sent']));
    assert.equal(endedBy?.systemCode, 'ECONNREFUSED');
  });

  it('keeps a line unknown when only its second try was not sent', async () => {
    const service = fakeKafue(({ body }, call) => {
      if (call > 1) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      return results(referencesOf(body), (name) =>
        name === 'a' ? refused('UNAVAILABLE', true) : accepted(name),
      );
    });
    const { kinds } = await send(service);
    assert.deepEqual(kinds.slice(0, 3), ['unknown', 'accepted', 'not_sent']);
  });

  it('does not trust an answer for another number of payouts', async () => {
    const { kinds } = await send(fakeKafue(() => results(['a'])));
    assert.deepEqual(kinds.slice(0, 3), ['unknown', 'unknown', 'not_sent']);
  });

  it('sends lines again that the service could not decide, and only those', async () => {
    const seen: string[] = [];
    const service = fakeKafue(({ body }) => {
      seen.push(referencesOf(body).join(''));
      const first = seen.filter((names) => names.includes('b')).length === 1;
      return results(referencesOf(body), (name) => {
        if (name === 'c') return refused('LIMIT_EXCEEDED', false);
        if (name === 'f') return refused('UNAVAILABLE', true);
        return name === 'b' && first ? refused('UNAVAILABLE', true) : accepted(name);
      });
    });
    const { kinds, endedBy } = await send(service);
    assert.deepEqual(seen, ['ab', 'b', 'cd', 'ef', 'f', 'f']);
    assert.deepEqual(kinds, ['accepted', 'accepted', 'refused', 'accepted', 'accepted', 'unknown']);
    assert.equal(endedBy, undefined);
  });

  it('finishes the call that is under way when it is asked to stop', async () => {
    const stop = new AbortController();
    const service = fakeKafue(({ body }) => {
      stop.abort();
      return results(referencesOf(body));
    });
    const { kinds } = await send(service, stop);
    assert.deepEqual(kinds.slice(0, 3), ['accepted', 'accepted', 'not_sent']);
    assert.equal(service.calls(), 1);
  });
});
