import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, it } from 'node:test';
import { readTransfer } from '../contract/api-client.ts';
import { pollUntil } from '../poll.ts';
import { ServiceEnded, startService } from '../running-service.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

let world: LiveWorld;
before(async () => {
  world = await openLiveWorld({ operators: ['mtn', 'airtel'], timeScale: 0.05 });
});
after(() => world.close());

async function pay(operator: 'mtn' | 'airtel', phone: string) {
  return world.api().post('transfers/mobile-money', {
    amount: 1,
    reference: randomUUID(),
    phone,
    operator,
    country: 'zm',
    walletId: world.merchant.wallets.live.ZMW,
  });
}

const stateOf = async (id: string) =>
  readTransfer((await world.api().get(`transfers/${id}`)).data).state;

/** Sends the signal and waits for the log line with its result. */
async function reload(said: RegExp): Promise<void> {
  const saidBefore = world.service().output().length;
  process.kill(world.service().pid, 'SIGHUP');
  await pollUntil(String(said), () => said.test(world.service().output().slice(saidBefore)));
}

it('loads another route file without dropping payouts under way', async () => {
  const whole = await readFile(world.routesFile, 'utf8');
  const file = JSON.parse(whole) as { routes: { name: string }[] };
  await world.setRules('airtel', [{ match: {}, preset: 'pending-then-ok' }]);
  const pending = readTransfer((await pay('airtel', '0971234567')).data);
  await pollUntil('the operator has it', async () => (await stateOf(pending.id)) === 'submitted');

  const without = file.routes.filter(({ name }) => name !== 'airtel-zm');
  await writeFile(world.routesFile, JSON.stringify({ ...file, routes: without }));
  await reload(/routes loaded anew/);
  assert.equal((await pay('airtel', '0971234568')).status, 422);
  assert.equal((await pay('mtn', '0961234567')).status, 201);
  await pollUntil('what was sent is paid', async () => (await stateOf(pending.id)) === 'succeeded');

  await writeFile(world.routesFile, '{"routes": [{}]}');
  await reload(/routes stay as they were/);
  assert.equal((await pay('mtn', '0961234567')).status, 201);

  await writeFile(world.routesFile, whole);
  await reload(/routes loaded anew/);
  assert.equal((await pay('airtel', '0971234568')).status, 201);
});

it('refuses to start with a route file that has mistakes, and names them all', async () => {
  const path = `${world.routesFile}.bad`;
  const unknown = { name: 'a', connector: 'unknown', operator: 'mtn', country: 'zm', settings: {} };
  await writeFile(path, JSON.stringify({ routes: [unknown, { name: 'A!' }] }));
  const start = startService({
    databaseUrl: 'postgres://none@127.0.0.1:1/none',
    env: { ROUTES_FILE: path },
  });
  await assert.rejects(start, (error) => {
    assert.ok(error instanceof ServiceEnded);
    assert.equal(error.code, 78);
    assert.match(error.output, /routes\.0\.connector/);
    assert.match(error.output, /routes\.1\.name/);
    assert.match(error.output, /routes\.1\.settings/);
    return true;
  });
});
