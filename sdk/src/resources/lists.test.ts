import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type PlayingServer, startPlayingServer, success } from '../../test/playing-server.ts';
import { createTestTransport } from '../../test/test-client.ts';
import { Lists } from './lists.ts';
import { Screeners } from './screeners.ts';

let server: PlayingServer;
before(async () => {
  server = await startPlayingServer();
});
after(() => server.close());

it('reads lists, screeners and screenings by their paths', async () => {
  const { transport } = createTestTransport(server);
  server.play(success({ items: [], nextCursor: null }));
  await new Lists(transport).list({ list: 'deny', inForce: true, q: '+26097' }).page();
  await new Screeners(transport).list();
  await new Screeners(transport).screeningsOf('t1');
  assert.deepEqual(
    server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/payments/', '')}`),
    ['GET lists?list=deny&q=%2B26097&inForce=true', 'GET screeners', 'GET transfers/t1/screenings'],
  );
});
