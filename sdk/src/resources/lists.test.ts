import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type ScriptedServer, startScriptedServer, success } from '../../test/scripted-server.ts';
import { createTestTransport } from '../../test/test-client.ts';
import { Limits } from './limits.ts';
import { Lists } from './lists.ts';
import { Screeners } from './screeners.ts';

let server: ScriptedServer;
before(async () => {
  server = await startScriptedServer();
});
after(() => server.close());

it('reads lists, limits, screeners and screenings by their paths', async () => {
  const { transport } = createTestTransport(server);
  const items = [{ id: 'i1' }];
  server.play(success({ items, nextCursor: null }));
  const page = await new Lists(transport).list({ list: 'deny', inForce: true, q: '+26097' }).page();
  const answers = [
    page.items,
    await new Limits(transport).list({ phone: '+260977433571' }),
    await new Screeners(transport).list(),
    await new Screeners(transport).screeningsOf('t1'),
  ];
  assert.deepEqual(answers, [items, items, items, items]);
  assert.deepEqual(
    server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1/payments/', '')}`),
    [
      'GET lists?list=deny&q=%2B26097&inForce=true',
      'GET limits?phone=%2B260977433571',
      'GET screeners',
      'GET transfers/t1/screenings',
    ],
  );
});
