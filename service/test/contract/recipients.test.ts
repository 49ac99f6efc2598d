import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import {
  type Answer,
  assertRefused,
  brokenFields,
  type Fields,
  listOf,
  textOf,
} from './api-client.ts';
import { openContract, poll, RECIPIENTS } from './open-contract.ts';

const AT_ONCE = 50;
const FIELDS = [
  ...'accountName country createdAt id mode nameMatch operator phone resolution'.split(' '),
  ...'suppliedAccountName type'.split(' '),
];
/** More than any allowance for name lookups should be, and less than the limit of other calls. */
const FLOOD = 500;
const contract = await openContract({ RATE_LIMIT_PER_SECOND: '1000' });
after(() => contract.close());
const { api, apiWith, merchant } = contract;

let lastSubscriber = 433_100;
/** A number that no other test uses and that the sandbox resolves. */
function newAccount(): Readonly<{ phone: string; operator: string; country: string }> {
  lastSubscriber += 1;
  return { phone: `+26097${lastSubscriber}0`, operator: 'mtn', country: 'zm' };
}

function readRecipient(answer: Answer): Fields {
  const { data } = answer;
  assert.deepEqual(Object.keys(data).sort(), FIELDS, answer.text);
  assert.match(textOf(data.id), /^[0-9a-f-]{36}$/);
  assert.equal(data.type, 'mobile-money');
  assert.equal(data.mode, 'test');
  assert.equal(data.resolution === 'resolved', data.accountName !== null, answer.text);
  return data;
}

async function create(body: Fields): Promise<Fields> {
  const answer = await api.post(RECIPIENTS, body);
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.message, 'Recipient created');
  return readRecipient(answer);
}

async function resolveName(account: Fields): Promise<string> {
  const answer = await api.post('resolve/mobile-money', account);
  assert.equal(answer.status, 200, answer.text);
  return textOf(answer.data.accountName);
}

async function count(): Promise<number> {
  return listOf((await api.get('transfer-recipients?limit=100')).data.items).length;
}

it('creates a recipient with the name that the operator gives', async () => {
  const account = newAccount();
  const recipient = await create(account);
  assert.deepEqual(
    { ...recipient, id: '', createdAt: '' },
    {
      ...account,
      id: '',
      type: 'mobile-money',
      accountName: await resolveName(account),
      suppliedAccountName: null,
      nameMatch: null,
      resolution: 'resolved',
      mode: 'test',
      createdAt: '',
    },
  );
  const shown = await api.get(`transfer-recipients/${textOf(recipient.id)}`);
  assert.deepEqual(shown.data, recipient);
});

it('resolves a name without storing anything', async () => {
  const before = await count();
  const { phone } = newAccount();
  const local = `0${phone.slice(4)}`;
  const answer = await api.post('resolve/mobile-money', {
    phone: local,
    operator: 'mtn',
    country: 'zm',
  });
  assert.deepEqual(Object.keys(answer.data).sort(), [
    'accountName',
    'country',
    'operator',
    'phone',
  ]);
  assert.equal(answer.data.phone, phone);
  assert.equal(await count(), before);
});

it('reports how a supplied name compares, and keeps the resolved one', async () => {
  const variants: Readonly<Record<string, (name: string) => string>> = {
    match: (name) => name,
    // Case and extra spaces do not make another name.
    'match ': (name) => `  ${name.toUpperCase()} `.replaceAll(' ', '  '),
    // One letter is wrong.
    close: (name) => `${name.slice(0, -1)}x`,
    mismatch: () => 'Qwxyz Vbnghj',
  };
  for (const [expected, vary] of Object.entries(variants)) {
    const account = newAccount();
    const name = await resolveName(account);
    const supplied = vary(name);
    const recipient = await create({ ...account, accountName: supplied });
    assert.equal(recipient.nameMatch, expected.trim(), `${supplied} for ${name}`);
    assert.equal(recipient.accountName, name);
  }
});

it('answers a repeated account with 200 and the same recipient', async () => {
  const account = newAccount();
  const first = await create(account);
  const local = `0${account.phone.slice(4)}`;
  for (const phone of [
    account.phone,
    local,
    account.phone.slice(1),
    `00${account.phone.slice(1)}`,
  ]) {
    const again = await api.post(RECIPIENTS, { ...account, phone });
    assert.equal(again.status, 200, again.text);
    assert.equal(again.message, 'Recipient already exists');
    assert.equal(readRecipient(again).id, first.id);
  }
  const elsewhere = await create({ ...account, operator: 'airtel' });
  assert.notEqual(elsewhere.id, first.id);
});

it('creates one recipient for fifty identical concurrent requests', async () => {
  const account = newAccount();
  const before = await count();
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => api.post(RECIPIENTS, account)),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  assert.equal(answers.filter(({ status }) => status === 200).length, AT_ONCE - 1);
  assert.equal(new Set(answers.map((answer) => readRecipient(answer).id)).size, 1);
  assert.equal(await count(), before + 1);
});

it('refuses an account that the operator does not know, and stores nothing', async () => {
  const before = await count();
  const account = { phone: '0977433901', operator: 'mtn', country: 'zm' };
  for (const path of [RECIPIENTS, RECIPIENTS, 'resolve/mobile-money']) {
    assertRefused(await api.post(path, account), 422, 'ACCOUNT_NOT_FOUND', path);
  }
  assert.equal(await count(), before);
});

it('stores a recipient whose operator is unreachable, and resolves it later', async () => {
  const supplied = 'Mary Phiri';
  const account = { phone: '0977433951', operator: 'mtn', country: 'zm' };
  const pending = await create({ ...account, accountName: supplied });
  assert.deepEqual(
    [pending.resolution, pending.accountName, pending.suppliedAccountName, pending.nameMatch],
    ['pending', null, supplied, null],
  );
  const path = `transfer-recipients/${textOf(pending.id)}`;
  const { data } = await poll(
    () => api.get(path),
    (answer) => answer.data.resolution === 'resolved',
  );
  assert.equal(data.id, pending.id);
  assert.ok(textOf(data.accountName).length > 0);
  assert.match(textOf(data.nameMatch), /^(match|close|mismatch)$/);
});

it('reads phone, operator and country by the rules of transfers', async () => {
  const good = newAccount();
  const refused: Readonly<Record<string, readonly unknown[]>> = {
    phone: ['', 'abc', '0211221234', '+2348031234567', '０９７７４３３５７１', 977_433_571],
    operator: ['MTN', 'tigo', '', 7],
    country: ['ZM', 'za', '', 7],
  };
  for (const path of [RECIPIENTS, 'resolve/mobile-money']) {
    for (const [field, values] of Object.entries(refused)) {
      for (const value of values) {
        const answer = await api.post(path, { ...good, [field]: value });
        assertRefused(answer, 400, 'VALIDATION_ERROR', `${field} ${JSON.stringify(value)}`);
        assert.ok(field in brokenFields(answer), answer.text);
      }
    }
  }
  const nigerian = { phone: '08031234567', operator: 'zamtel', country: 'ng' };
  assert.equal((await create(nigerian)).phone, '+2348031234567');
});

it('lists recipients newest first, in pages without repeats', async () => {
  for (let made = 0; made < 5; made += 1) await create(newAccount());
  const whole = listOf((await api.get('transfer-recipients?limit=100')).data.items);
  const paged: Fields[] = [];
  let cursor = '';
  for (;;) {
    const { data } = await api.get(`transfer-recipients?limit=3${cursor}`);
    paged.push(...listOf(data.items));
    if (data.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(textOf(data.nextCursor))}`;
    await create(newAccount());
  }
  assert.deepEqual(paged, whole);
  const times = whole.map(({ createdAt }) => textOf(createdAt));
  assert.deepEqual(times, times.toSorted().toReversed());
});

it('lists recipients by phone, operator and country', async () => {
  const account = newAccount();
  const made = [await create(account), await create({ ...account, operator: 'zamtel' })];
  const nigerian = { phone: '08031234568', operator: 'zamtel', country: 'ng' };
  made.push(await create(nigerian));
  const ids = async (query: string) =>
    listOf((await api.get(`transfer-recipients?${query}&limit=100`)).data.items).map(
      ({ id }) => id,
    );
  const phone = encodeURIComponent(account.phone);
  assert.deepEqual(await ids(`phone=${phone}`), [made[1]?.id, made[0]?.id]);
  assert.deepEqual(await ids(`phone=${phone}&operator=zamtel`), [made[1]?.id]);
  assert.deepEqual(await ids('operator=zamtel&country=zm'), [made[1]?.id]);
  assert.ok((await ids('country=ng')).includes(made[2]?.id));
  assert.deepEqual(await ids('operator=vodacom'), []);
});

it('limits name lookups separately from everything else', async () => {
  const client = apiWith((await merchant.issueKey({})).text);
  const account = newAccount();
  const answers = await Promise.all(
    Array.from({ length: FLOOD }, () => client.post('resolve/mobile-money', account)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0, 'names can be looked up without a limit');
  for (const answer of refused) assertRefused(answer, 429, 'RATE_LIMITED');
  assert.equal((await client.get('transfers')).status, 200);
});
