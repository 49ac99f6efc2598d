import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fakeKafue, payoutOf } from '../../test/fake-kafue.ts';
import { fileOf } from '../../test/scripted-service.ts';
import { uploadFiles } from './upload-files.ts';

it('leaves no draft behind when it is ended while the service checks, except one that a person changed', async () => {
  for (const version of [1, 3]) {
    const stopping = new AbortController();
    const calls: string[] = [];
    const { kafue } = fakeKafue(({ method, path }) => {
      calls.push(`${method} ${path}`);
      if (method === 'GET') stopping.abort();
      return { status: 200, data: fileOf('f', 'checking', { version }) };
    });
    const rules = { name: 'x', allowCancelled: false };
    const deps = { kafue, stop: stopping.signal };
    await assert.rejects(uploadFiles(deps, [payoutOf('a')], rules), { code: 'ABORTED' });
    assert.equal(calls.includes('DELETE payout-files/f'), version === 1);
  }
});
