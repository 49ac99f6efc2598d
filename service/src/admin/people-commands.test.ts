import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startFakeMailServer } from '../../test/fakes/fake-mail-server.ts';
import { newTestId } from '../../test/stored-doubt.ts';
import { TEST_ACTOR } from '../../test/test-actor.ts';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { storePerson } from '../../test/test-person.ts';
import { removePerson } from '../people/change-roles.ts';
import { STAFF } from '../people/team.ts';
import { createTotpSecret, findTotpStep } from '../people/totp.ts';
import { runAdmin } from './run-admin.ts';

type Act = Readonly<{
  actorKind: string;
  actor: string;
  subject: string;
  after: Readonly<{ email: string; roles: readonly string[] }>;
}>;
/** What any of the commands answers; what is not there fails the assertion on it. */
type Json = Readonly<{
  error?: Readonly<{ code?: string; message: string; whatToDo: string }>;
  invitation: Readonly<{ id: string; link: string; mailed: boolean; email: string }>;
  invitations: readonly Readonly<{ email: string }>[];
  administrator: Readonly<{ id: string; key: string }>;
  administrators: readonly Readonly<{ name: string; isAdmin: boolean }>[];
  acts: readonly Act[];
  ended: number;
  code: string;
}>;

let test: TestDatabase;
let folder: string;
const keys: Record<string, string> = {};
before(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'kafue-people-'));
});
after(async () => {
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

type Options = Readonly<{ as?: string; env?: Readonly<Record<string, string>> }>;

async function run({ as, env = {} }: Options, ...argv: readonly string[]) {
  let out = '';
  const warned: string[] = [];
  const exitCode = await runAdmin({
    argv: [...argv, '--json'],
    writeOut: (text) => {
      out += text;
    },
    writeError: () => undefined,
    openDatabase: async () => ({
      directory: test.directory,
      cells: test.cells,
      close: async () => undefined,
      abandon: async () => undefined,
    }),
    now: () => new Date(),
    newId: newTestId,
    randomBytes,
    env: { DATA_DIR: folder, ...env, ...(as === undefined ? {} : { ADMIN_KEY: keys[as] ?? '' }) },
    machine: TEST_ACTOR,
    warn: (line) => void warned.push(line),
    showProgress: () => undefined,
  });
  const json = JSON.parse(out) as Json;
  return { exitCode, json, code: json.error?.code, warned };
}

const invite = (options: Options, email: string, name: string, ...more: readonly string[]) =>
  run(options, 'people', 'invite', email, '--name', name, ...more);

/** As if the invited person had accepted; what accepting does is tested over HTTP. */
async function giveAddress(email: string, name: string, role: string): Promise<void> {
  await test.database.query(
    {
      name: '',
      text: `with named as (
               update people set email = $1 where lower(name) = lower($2) and email is null returning id
             ), made as (
               insert into people (id, name, email, created_at)
               select gen_random_uuid(), $2, $1, now() where not exists (select from named)
               returning id
             )
             insert into staff_roles (person_id, role, given_at)
             select id, $3, now() from (select id from named union all select id from made) p
             on conflict do nothing`,
    },
    [email, name, role],
  );
}

describe('people on the command line', () => {
  it('invites the first admin on the machine without a key, recorded as the machine', async () => {
    const env = { CONSOLE_ORIGIN: 'https://pay.example' };
    const role = ['--role', 'admin'];
    const { exitCode, json } = await invite({ env }, 'Chanda@Example.com', 'Chanda Phiri', ...role);
    assert.equal(exitCode, 0, JSON.stringify(json));
    const { link, mailed, email } = json.invitation;
    assert.match(link, /^https:\/\/pay\.example\/console\/invitation\/[\w-]{43}$/);
    assert.deepEqual([mailed, email], [false, 'chanda@example.com']);
    const acts = await run({}, 'administrators', 'acts', '--kind', 'PERSON_INVITED');
    const [act] = acts.json.acts;
    assert.deepEqual(
      [act?.actorKind, act?.after.email, act?.after.roles],
      ['machine', email, ['admin']],
    );
    assert.ok(!JSON.stringify(acts.json).includes(link.slice(-43)));
    const listed = await run({}, 'people', 'list');
    assert.equal(listed.json.invitations[0]?.email, email);
  });

  it('needs a key as soon as an admin can sign in', async () => {
    await giveAddress('chanda@example.com', 'Chanda Phiri', 'admin');
    const refused = await invite({}, 'mwila@example.com', 'Mwila', '--role', 'admin');
    assert.deepEqual([refused.exitCode, refused.code], [1, 'ADMINISTRATOR_NEEDED']);
    const wrong = await run({ env: { ADMIN_KEY: 'adm_wrong' } }, 'people', 'remove', 'a@b.example');
    assert.equal(wrong.code, 'ADMIN_KEY_UNKNOWN');
  });

  it('keeps a person one person: by key, then by address, and the other way round', async () => {
    const byKey = await run({}, 'administrators', 'add', 'Chanda Phiri');
    keys['chanda'] = byKey.json.administrator.key;
    const [person] = await test.database.query<{ id: string }>({
      name: '',
      text: `select id from people where email = 'chanda@example.com'`,
    });
    assert.equal(byKey.json.administrator.id, person?.id);
    const mutinta = await run({ as: 'chanda' }, 'administrators', 'add', 'Mutinta Banda');
    keys['mutinta'] = mutinta.json.administrator.key;
    const invited = await invite(
      { as: 'chanda' },
      'mutinta@example.com',
      'mutinta banda',
      '--role',
      'admin',
      'treasurer',
    );
    assert.equal(invited.exitCode, 0);
    const [row] = await test.database.query<{ person_id: string }>(
      { name: '', text: 'select person_id from invitations where id = $1' },
      [invited.json.invitation.id],
    );
    assert.equal(row?.person_id, mutinta.json.administrator.id);
    const taken = await invite(
      { as: 'chanda' },
      'chanda@example.com',
      'Mutinta Banda',
      '--role',
      'admin',
    );
    assert.equal(taken.code, 'INVALID_STATE');
    await giveAddress('mutinta@example.com', 'Mutinta Banda', 'admin');
  });

  it('changes roles and removes people; a key without the role opens nothing', async () => {
    const as = 'chanda';
    const change = ['people', 'roles', 'mutinta@example.com', '--role', 'auditor'];
    const changed = await run({ as }, ...change);
    assert.equal(changed.exitCode, 0, JSON.stringify(changed.json));
    const refused = await run({ as: 'mutinta' }, 'people', 'remove', 'chanda@example.com');
    assert.equal(refused.code, 'ADMIN_KEY_UNKNOWN');
    const { json } = await run({}, 'administrators', 'list');
    assert.deepEqual(
      json.administrators.map(({ name, isAdmin }) => [name, isAdmin]),
      [
        ['Chanda Phiri', true],
        ['Mutinta Banda', false],
      ],
    );
    const acts = await run({}, 'administrators', 'acts', '--kind', 'ADMINISTRATOR_REMOVED');
    assert.deepEqual(
      acts.json.acts.map(({ subject, actor }) => [subject, actor]),
      [['Mutinta Banda', 'Chanda Phiri']],
    );
    const back = ['people', 'roles', 'mutinta@example.com', '--role', 'admin'];
    assert.equal((await run({ as }, ...back)).exitCode, 0);
    const ended = await run({ as: 'mutinta' }, 'people', 'remove', 'chanda@example.com');
    assert.equal(
      ended.code,
      'ADMIN_KEY_UNKNOWN',
      'a key that ended is not good again with the role',
    );
    assert.equal((await run({ as }, ...change)).exitCode, 0);
    const last = await run({ as }, 'people', 'remove', 'chanda@example.com');
    assert.deepEqual([last.exitCode, last.code], [1, 'LAST_ADMIN']);
    const removed = await run({ as }, 'people', 'remove', 'mutinta@example.com');
    assert.equal(removed.exitCode, 0);
    const gone = await run({ as }, 'people', 'remove', 'mutinta@example.com');
    assert.equal(gone.code, 'PERSON_NOT_FOUND');
  });

  it('keeps an admin when two remove each other at once', async () => {
    const [one, two] = [
      await storePerson(test.database, { staffRoles: ['admin'] }),
      await storePerson(test.database, { staffRoles: ['admin'] }),
    ];
    await test.database.query({
      name: '',
      text: `delete from staff_roles r using people p where p.id = r.person_id and p.name = 'Chanda Phiri'`,
    });
    const deps = {
      database: test.database,
      directory: test.directory,
      cells: test.cells,
      now: () => new Date(),
      newId: newTestId,
      logger: { warn: () => undefined },
    };
    const remove = (by: typeof one, whom: typeof one) =>
      removePerson(deps, {
        actor: { kind: 'person', id: by.id, name: by.name },
        team: STAFF,
        personId: whom.id,
      });
    const results = await Promise.allSettled([remove(one, two), remove(two, one)]);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    await giveAddress('other@example.com', 'Chanda Phiri', 'admin');
    await test.database.query({
      name: '',
      text: `insert into staff_roles (person_id, role, given_at)
             select id, 'admin', now() from people where email = 'chanda@example.com'
             on conflict do nothing`,
    });
  });

  it('invites owners of a merchant: the first with a key, any from the machine', async () => {
    await run({}, 'merchants', 'create', 'Zambezi Tours');
    const to = ['--merchant', 'Zambezi Tours'];
    const as = 'chanda';
    const maker = await invite({ as }, 'm@zambezi.example', 'Maker', '--role', 'maker', ...to);
    assert.equal(maker.code, 'FORBIDDEN');
    const owner = await invite({ as }, 'o@zambezi.example', 'Owner', '--role', 'owner', ...to);
    assert.equal(owner.exitCode, 0);
    const book = ['--role', 'viewer', '--mode', 'test', ...to];
    const viewer = await invite({}, 'v@zambezi.example', 'Viewer', ...book);
    assert.equal(viewer.exitCode, 0, JSON.stringify(viewer.json));
    const { json } = await run({}, 'people', 'list', ...to);
    assert.equal(json.invitations.length, 2);
    const staffRole = await invite({}, 'x@zambezi.example', 'X', '--role', 'admin', ...to);
    assert.equal(staffRole.code, 'VALIDATION_ERROR');
  });

  it('invites no administrator with a key to a role that only they give themselves', async () => {
    const added = await run({ as: 'chanda' }, 'administrators', 'add', 'Bwalya Mumba');
    keys['bwalya'] = added.json.administrator.key;
    const inviteBwalya = (as: string, role: string) =>
      invite({ as }, 'bwalya@example.com', 'bwalya mumba', '--role', role);
    assert.equal((await inviteBwalya('bwalya', 'treasurer')).code, 'FORBIDDEN');
    assert.equal((await inviteBwalya('bwalya', 'admin')).exitCode, 0);
    assert.equal((await inviteBwalya('chanda', 'treasurer')).exitCode, 0);
  });

  it('ends the sessions of a person of any team', async () => {
    const person = await storePerson(test.database, {});
    const { json } = await run({ as: 'chanda' }, 'people', 'sessions', person.email);
    assert.equal(json.ended, 1);
    const acts = await run({}, 'administrators', 'acts', '--kind', 'SESSIONS_ENDED');
    assert.equal(acts.json.acts[0]?.subject, person.id);
  });

  it('mails the link where mail is set up, and says when that failed', async () => {
    let doing: 'take' | 'refuse' = 'take';
    const server = await startFakeMailServer(() => doing);
    try {
      const options = {
        as: 'chanda',
        env: { SMTP_URL: server.url, MAIL_FROM: 'payouts@example.com' },
      };
      const taken = await invite(
        options,
        'bupe@example.com',
        'Bupe <b>Zulu</b>',
        '--role',
        'support',
      );
      assert.equal(taken.json.invitation.mailed, true);
      const [mail = ''] = server.mails;
      assert.ok(mail.replace(/=\r\n/g, '').includes(taken.json.invitation.link));
      doing = 'refuse';
      const failed = await invite(options, 'bupe@example.com', 'Bupe Zulu', '--role', 'support');
      assert.equal(failed.json.invitation.mailed, false);
      assert.match(failed.json.invitation.link, /invitation/);
      assert.match(failed.warned.join(), /not mailed/);
    } finally {
      await server.close();
    }
    const env = { SMTP_URL: 'ftp://user:hidden@mail.example' };
    const wrong = await invite(
      { as: 'chanda', env },
      'bupe@example.com',
      'Bupe',
      '--role',
      'support',
    );
    assert.equal(wrong.exitCode, 78);
    assert.ok(!JSON.stringify(wrong.json).includes('hidden'));
  });

  it('shows the code of demo people alone', async () => {
    const missing = await run({}, 'people', 'code', 'owner@demo.test');
    assert.match(missing.json.error?.message ?? '', /no demo person/);
    const totpSecret = createTotpSecret(randomBytes);
    const people = [
      'owner',
      'maker',
      'approver',
      'viewer',
      'admin',
      'treasurer',
      'support',
      'auditor',
    ];
    const file = {
      people: people.map((role) => ({
        email: `${role}@demo.test`,
        password: 'p',
        totpSecret,
        merchant: null,
        roles: [role],
      })),
    };
    await writeFile(join(folder, 'demo.json'), JSON.stringify(file));
    const { json } = await run({}, 'people', 'code', 'owner@demo.test');
    assert.notEqual(findTotpStep(totpSecret, json.code, new Date()), undefined);
    const other = await run({}, 'people', 'code', 'chanda@example.com');
    assert.match(other.json.error?.whatToDo ?? '', /owner@demo\.test/);
  });
});
