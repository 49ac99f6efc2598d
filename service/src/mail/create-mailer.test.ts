import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type MailScript, startFakeMailServer } from '../../test/fakes/fake-mail-server.ts';
import { createMailer } from './create-mailer.ts';
import { readMailSettings } from './read-mail-settings.ts';

const MAIL = {
  to: { name: 'Chanda <b>Phiri</b>', address: 'chanda@example.test' },
  subject: 'Invitation to Zambezi Tours',
  text: 'Open this link:\n\nhttps://pay.example/console/invitation/abc\n',
};

describe('a mailer', () => {
  let doing: MailScript = 'take';
  const logged: object[] = [];
  const logger = { warn: (fields: object) => void logged.push(fields) };
  const open: { close(): Promise<void> }[] = [];
  after(() => Promise.all(open.map((server) => server.close())));

  async function start(script: MailScript) {
    doing = script;
    const server = await startFakeMailServer(() => doing);
    open.push(server);
    const from = 'payouts@example.test';
    const send = createMailer({ logger }, { url: new URL(server.url), from });
    assert.ok(send !== undefined);
    return { server, send };
  }

  it('hands a mail to the server', async () => {
    const { server, send } = await start('take');
    assert.equal(await send(MAIL), true);
    const [mail = ''] = server.mails;
    assert.match(mail, /^From: payouts@example\.test\r$/m);
    assert.match(mail, /^To: .*<chanda@example\.test>\r$/m);
    assert.match(mail, /^Content-Type: text\/plain/m);
    assert.ok(mail.includes('https://pay.example/console/invitation/abc'));
  });

  it('says so when the server refuses it, and logs nothing of the mail', async () => {
    const { send } = await start('refuse');
    assert.equal(await send(MAIL), false);
    assert.deepEqual(logged.at(-1), { code: 'EENVELOPE', status: 550 });
  });

  it('gives up on a server that does not speak', async () => {
    const { send } = await start('hang');
    const startedMs = performance.now();
    assert.equal(await send(MAIL), false);
    assert.ok(performance.now() - startedMs < 9_000);
  });

  it('sends nothing in the clear to another machine', async () => {
    const { server } = await start('take');
    const url = new URL(server.url);
    // A name of this machine that is not known as one.
    url.hostname = '0.0.0.0';
    const send = createMailer({ logger }, { url, from: 'payouts@example.test' });
    assert.equal(await send?.(MAIL), false);
    assert.deepEqual(server.mails, []);
  });
});

it('names what is wrong with SMTP_URL and MAIL_FROM without repeating them', () => {
  const problemsOf = (env: Record<string, string>): string => {
    const problems: string[] = [];
    readMailSettings(env, problems);
    return problems.join('\n');
  };
  assert.equal(problemsOf({}), '');
  assert.equal(problemsOf({ SMTP_URL: 'smtps://u:p@mail.example', MAIL_FROM: 'a@b.example' }), '');
  const wrong = problemsOf({ SMTP_URL: 'http://u:secret@mail.example', MAIL_FROM: 'a' });
  assert.match(wrong, /^SMTP_URL must.*\nMAIL_FROM must/);
  assert.ok(!wrong.includes('secret'));
  assert.match(problemsOf({ SMTP_URL: 'smtp://localhost' }), /needs MAIL_FROM/);
});
