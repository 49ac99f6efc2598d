import assert from 'node:assert/strict';
import { link, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { volume } from '../../scripts/test-volume.ts';
import { signWebhookForTests } from '../../sdk/src/index.ts';
import { refusal, startScriptedServer, success } from '../../sdk/test/scripted-server.ts';
import { REFUSALS } from '../../service/src/domain/refusal-codes.ts';
import { scriptOf } from '../../service/src/operators/sandbox/sandbox-scripts.ts';
import { findFreePort } from '../../service/src/postgres/embedded/free-port.ts';
import { readDecision } from '../../service/src/screening/read-decision.ts';
import { pollUntil } from '../../service/test/poll.ts';
import { type CopiedClone, copyClone } from './checking/copied-clone.ts';
import { followGuide } from './checking/follow-guide.ts';
import { readTable } from './checking/read-blocks.ts';
import { readersPath } from './checking/readers-path.ts';
import { openShellSession, type ShellSession } from './checking/shell-session.ts';

/** What the guides call the service, the receiver and the proxy; any of them may be taken here. */
const PORT_VARIABLES = { 3000: 'PORT', 8080: 'RECEIVER_PORT', 3001: 'PROXY_PORT' } as const;
/** The first emulator's; the others follow. */
const EMULATOR_PORT = 4101;
const EMULATORS = 5;

/** The first one starts the service and builds the SDK, as its readers do. */
const ALL_GUIDES = [
  'README.md',
  'docs/guides/first-payout.md',
  'docs/guides/test-numbers.md',
  'docs/guides/retrying-safely.md',
  'docs/guides/webhooks.md',
  'docs/guides/screening.md',
  'docs/guides/policies.md',
  'docs/guides/payout-files.md',
  'docs/guides/live-operators.md',
];
/** These start programs again and again, for half of the time that all guides take. */
const LONG_GUIDES = ['docs/guides/webhooks.md', 'docs/guides/live-operators.md'];
const GUIDES = volume({
  usual: ALL_GUIDES.filter((path) => !LONG_GUIDES.includes(path)),
  full: ALL_GUIDES,
});

let clone: CopiedClone;
let session: ShellSession;
let ports: Readonly<Record<string, string>>;
let instead: Readonly<Record<string, string>>;
before(async () => {
  clone = await copyClone();
  const pairs = Object.entries(PORT_VARIABLES).map(
    async ([port, variable]) => [port, variable, String(await findFreePort())] as const,
  );
  const chosen = await Promise.all(pairs);
  const emulatorPort = await findFreePort(EMULATORS);
  const emulatorPorts = Array.from({ length: EMULATORS }, (_, index) => [
    String(EMULATOR_PORT + index),
    String(emulatorPort + index),
  ]);
  ports = Object.fromEntries([...chosen.map(([port, , free]) => [port, free]), ...emulatorPorts]);
  const callbacks = `http://localhost:${ports['3000']}`;
  instead = {
    'npm run emulators': `npm run emulators -- --port ${emulatorPort} --callbacks ${callbacks}`,
  };
  session = openShellSession(clone.folder, {
    PATH: await readersPath(clone.folder),
    HOME: process.env.HOME ?? '',
    SANDBOX_DELAY_MS: '100',
    ...Object.fromEntries(chosen.map(([, variable, free]) => [variable, free])),
  });
});
after(async () => {
  await session.close();
  await clone.remove();
});

describe('following a guide shows what the guide says', () => {
  for (const path of GUIDES) {
    it(path, { skip: process.platform === 'win32' }, () =>
      followGuide(session, { path, ports, instead }),
    );
  }
});

describe('the receivers', { skip: process.platform === 'win32' }, () => {
  const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';
  const payload = JSON.stringify({ id: 'evt_0_1', type: 'webhook.test', data: {} });
  const post = async (body: string, headers: Readonly<Record<string, string>>) => {
    const url = `http://127.0.0.1:${ports['8080']}/kafue`;
    return (await fetch(url, { method: 'POST', headers: { ...headers }, body })).status;
  };

  before(() => session.run('rm -f data/inbox.db; [ -d sdk/dist ] || npm run build -w sdk'));
  for (const [index, name] of ['fastify', 'express'].entries()) {
    it(`${name}: keeps what is signed, once, and refuses everything else`, async () => {
      const program = `npx node docs/examples/${name}-receiver.ts`;
      // As people write it: with a blank, and a comma too many.
      await session.runOn('receiver', `KAFUE_WEBHOOK_SECRETS=' ${secret} ,' ${program}`);
      await pollUntil('the receiver listens', () => post('', {}).then(Boolean, () => false));
      const signed = { ...(await signWebhookForTests({ payload, secret })) };
      const json = { 'content-type': 'application/json' };
      assert.equal(await post(payload, { ...json, ...signed }), 204);
      assert.equal(await post(payload, { ...json, ...signed }), 204);
      assert.equal(await post(`${payload} `, { ...json, ...signed }), 400);
      assert.equal(await post(payload, json), 400);
      assert.equal(await post('', {}), 400);
      // The second receiver finds in the inbox what the first one kept there.
      const said = index === 0 ? ['new', 'known'] : ['known', 'known'];
      const lines = said.map((word) => `${word} webhook.test evt_0_1\n`).join('');
      await pollUntil('it says so', () => session.shownOn('receiver').includes(lines));
      assert.match(session.shownOn('receiver'), /^refused: INVALID_SIGNATURE$/m);
      assert.match(session.shownOn('receiver'), /^refused: MISSING_HEADER$/m);
    });

    it(`${name}: does not start without a secret, and answers 500 where it is none`, async () => {
      const program = `npx node docs/examples/${name}-receiver.ts`;
      const shows = (text: string) => session.shownOn('receiver').includes(text);
      await session.runOn('receiver', `KAFUE_WEBHOOK_SECRETS=' ,' ${program}; echo "ended: $?"`);
      await pollUntil('it ends', () => shows('ended: 1'));
      assert.ok(shows('KAFUE_WEBHOOK_SECRETS'), session.shownOn('receiver'));

      await session.runOn('receiver', `KAFUE_WEBHOOK_SECRETS=whsec_AAAA ${program}`);
      await pollUntil('the receiver listens', () => post('', {}).then(Boolean, () => false));
      const signed = { ...(await signWebhookForTests({ payload, secret })) };
      assert.equal(await post(payload, signed), 500);
      await pollUntil('it says so', () => shows('refused: INVALID_SECRET'));
    });
  }
});

describe('the screener', { skip: process.platform === 'win32' }, () => {
  const secret = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';
  const ask = async (transfer: object, headers?: Readonly<Record<string, string>>) => {
    const payload = JSON.stringify({ id: 'scr_1', rule: 'night', transfer });
    const signed = headers ?? { ...(await signWebhookForTests({ payload, secret, id: 'scr_1' })) };
    const url = `http://127.0.0.1:${ports['8080']}/`;
    return fetch(url, { method: 'POST', headers: signed, body: payload });
  };

  it('answers what is signed with a decision, and nothing else', async () => {
    await session.run('[ -d sdk/dist ] || npm run build -w sdk');
    const program = 'npx node docs/examples/screener.ts';
    await session.runOn('receiver', `KAFUE_SCREENER_SECRET=${secret} ${program}`);
    await pollUntil('the screener listens', () => ask({}, {}).then(Boolean, () => false));
    assert.equal((await ask({}, {})).status, 400);
    const order = { reference: 'r1', phone: '+260977433571', amount: 5, recipientName: 'Joseph' };
    for (const [change, decision] of [
      [{}, 'allow'],
      [{ recipientName: null }, 'hold'],
      [{ phone: '+260977000001' }, 'refuse'],
    ] as const) {
      const answer = await ask({ ...order, ...change });
      const said = readDecision({
        kind: 'answered',
        status: answer.status,
        answer: await answer.text(),
      });
      assert.equal(said.decision, decision);
    }
  });
});

describe('the program that pays safely', { skip: process.platform === 'win32' }, () => {
  const pay = (reference: string, url: string | undefined) =>
    session.run(`${url === undefined ? '' : `KAFUE_URL=${url} `}\\
      npx node docs/examples/pay-safely.ts ${reference} 7 || echo "exit code $?"`);

  before(async () => {
    await session.run('[ -d sdk/dist ] || npm run build -w sdk');
    await session.runOn('service', 'npm start');
    await pollUntil('the service is ready', () => session.shownOn('service').includes('is ready'));
    await session.run(`export KAFUE_URL=http://127.0.0.1:${ports['3000']}
      export KAFUE_KEY=$(node -p 'require("./data/demo.json").testKey')
      export WALLET_ID=$(node -p 'require("./data/demo.json").wallets.test.ZMW')`);
  });

  it('makes one transfer, whether the answer was lost or the program ran twice', async () => {
    await session.runOn('proxy', 'npx node docs/examples/lose-answers.ts');
    await pollUntil('the proxy listens', () => session.shownOn('proxy').includes('Losing'));
    const bad = `http://127.0.0.1:${ports['3001']}`;
    const [first, second] = [await pay('twice', bad), await pay('twice', undefined)];
    assert.match(first.out, /^twice is transfer [0-9a-f-]{36}\n$/);
    assert.equal(second.out, first.out);
    assert.match(session.shownOn('proxy'), /^lost: 201$/m);
  });

  it('says that it is not known yet when the service does not answer', async () => {
    const { out } = await pay('no-service', `http://127.0.0.1:${await findFreePort()}`);
    assert.match(out, /^CONNECTION_FAILED\. Not known yet: run this again.*\nexit code 75\n$/);
  });

  it('does not say that nothing was paid when an answer was lost before the key was refused', async () => {
    const server = await startScriptedServer();
    try {
      server.play('reset', refusal(401, 'UNAUTHORIZED'));
      const lost = await pay('lost', server.baseUrl);
      assert.match(lost.out, /^UNAUTHORIZED\. Not known yet: .*same reference.*\nexit code 75\n$/);
      // The next run knows nothing of the lost answer, so it speaks of itself alone.
      const refused = await pay('lost', server.baseUrl);
      assert.match(refused.out, /^UNAUTHORIZED\. This run paid nothing.*same reference.*\n/);
      assert.match(refused.out, /\nexit code 1\n$/);
    } finally {
      await server.close();
    }
  });
});

describe('the program that catches up', { skip: process.platform === 'win32' }, () => {
  it('begins anew after a crash that left an empty cursor, and replaces a cursor as a whole', async () => {
    await session.run('[ -d sdk/dist ] || npm run build -w sdk');
    const cursor = join(clone.folder, 'data', 'events-cursor');
    const before = join(clone.folder, 'data', 'cursor-before');
    const server = await startScriptedServer();
    const program = 'npx node docs/examples/catch-up.ts';
    const catchUp = () => session.run(`KAFUE_URL=${server.baseUrl} KAFUE_KEY=sk_test_x ${program}`);
    try {
      await writeFile(cursor, '');
      server.play(success({ items: [], nextCursor: null }));
      assert.equal((await catchUp()).out, 'missed: 0\n');
      assert.doesNotMatch(server.requests[0]?.url ?? 'cursor', /cursor/);

      await writeFile(cursor, 'n1');
      // The other name still has what was there before, unless it was written over.
      await link(cursor, before);
      server.play(
        success({ items: [{ id: 'evt_0_2', type: 'webhook.test' }], nextCursor: 'n2' }),
        success({ items: [], nextCursor: 'n2' }),
      );
      assert.equal((await catchUp()).out, 'missed: 1\n');
      assert.deepEqual(
        [await readFile(cursor, 'utf8'), await readFile(before, 'utf8')],
        ['n2', 'n1'],
      );
    } finally {
      await server.close();
    }
  });
});

describe('a table in a guide leaves nothing out', () => {
  it('of the numbers that the sandbox knows', async () => {
    const guide = await readFile(new URL('test-numbers.md', import.meta.url), 'utf8');
    const [other, ...listed] = readTable(guide, 'ends in').map(([digits]) => digits);
    const known = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));
    const special = known.filter((digits) => {
      const script = scriptOf(`+260977433${digits}`);
      return script.kind !== 'pays' || script.nameless === true;
    });
    assert.deepEqual([other, ...listed], ['anything else', ...special]);
  });

  it('of the codes that the service refuses with', async () => {
    const guide = await readFile(new URL('retrying-safely.md', import.meta.url), 'utf8');
    const advice = readTable(guide, 'what came').flatMap(([codes = '', again]) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${code} ${again}`),
    );
    const rules = Object.entries(REFUSALS)
      .filter(([, rule]) => !('isForPeople' in rule))
      .map(([code, { retryable }]) => `${code} ${retryable ? 'yes' : 'no'}`);
    assert.deepEqual(advice.sort(), rules.sort());
  });
});
