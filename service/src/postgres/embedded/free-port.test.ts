import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { findFreePort, isFreePort } from './free-port.ts';

describe('a free port', () => {
  it('is one on which no program listens', async () => {
    const port = await findFreePort();
    assert.equal(await isFreePort(port), true);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    assert.equal(await isFreePort(port), false);
    server.close();
    await once(server, 'close');
    assert.equal(await isFreePort(port), true);
  });

  it('is never one that the system assigns to programs that request any port', async () => {
    for (let times = 0; times < 50; times += 1) {
      const port = await findFreePort(5);
      assert.ok(port >= 15_000 && port + 4 < 30_000, String(port));
    }
  });
});
