import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { MERCHANT_ROLES, type MerchantRole, STAFF_ROLES } from '../../src/domain/roles.ts';
import type { Mode } from '../../src/domain/transfer.ts';
import { PREFIXES } from '../../src/http/guard-operations.ts';
import { listAllOperations } from '../../src/http/list-all-operations.ts';
import { createTestMerchant } from '../test-merchant.ts';
import { storePerson, type TestPerson } from '../test-person.ts';
import { openContract } from './open-contract.ts';
import {
  BOOK_RULES,
  MERCHANT_RULES,
  OWN_STEP_UP,
  type RuleTable,
  STAFF_RULES,
} from './role-table.ts';

const contract = await openContract();
after(() => contract.close());
const { database, service } = contract;
const merchant = await createTestMerchant(database);
const NO_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const MODES: readonly Mode[] = ['test', 'live'];

/** Stands for all that operations work with: here only their methods and paths are read. */
const UNUSED: object = new Proxy({}, { get: () => UNUSED });
const operations = listAllOperations(UNUSED);

/** For keys and people, and for people alone. */
const bookOperations: readonly Operation[] = [
  ...operations.book,
  ...((Reflect.get(operations, 'bookPeople') ?? []) as readonly Operation[]),
];

type Area = 'book' | 'own' | 'merchant' | 'staff';
type Operation = Readonly<{ method: string; path: string }>;
type Caller = Readonly<{ person: TestPerson | null; bookId?: string }>;

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

/** Calls an operation with ids that nothing has, and a body that says nothing. */
async function call(area: Area, { method, path }: Operation, { person, bookId }: Caller) {
  const target = PREFIXES[area].replace(':merchantId', merchant.id) + path;
  const response = await fetch(service.baseUrl + target.replace(/:\w+/g, NO_ID), {
    method,
    headers: {
      ...(person === null ? {} : person.headers),
      ...(bookId === undefined ? {} : { 'x-book': bookId }),
      ...(method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' || method === 'DELETE' ? {} : { body: '{}' }),
    signal: AbortSignal.timeout(10_000),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return 'let in';
  }
  const { data } = (await response.json()) as { data: { error?: { code: string } } };
  const code = data?.error?.code ?? '';
  return STOPPED.includes(code) ? `${response.status} ${code}` : 'let in';
}

/** Longer than any pause in what a call begins, such as a payout of the test book. */
const QUIET_MS = 1_200;

/** What guards answer; every other answer comes from the operation itself. */
const STOPPED = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'STEP_UP_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'BAD_REQUEST',
];
const REFUSED = '403 FORBIDDEN';

function ruleOf<Role>(rules: RuleTable<Role>, operation: Operation) {
  const rule = rules[nameOf(operation)];
  assert.ok(rule !== undefined, `${nameOf(operation)} has no line in role-table.ts`);
  return rule;
}

/** The service notes by itself, at any time, what it asked an operator about a transfer; what people change is in these. */
const WATCHED_OF_TRANSFERS =
  'jsonb_build_array(book_id, id, state, event_seq, route, failure_code, send_at, phone, amount_minor, first_submitted_at)';

/** All rows that calls of people could change. */
async function readEverything(): Promise<string> {
  const tables = await database.query<{ name: string }>({
    name: '',
    text: `select c.oid::regclass::text as name from pg_class c
           where c.relnamespace in ('public'::regnamespace, 'directory'::regnamespace) and c.relkind = 'r'
             and c.relname not in ('sessions', 'write_probes') order by 1`,
  });
  const parts: string[] = [];
  for (const { name } of tables) {
    const watched = name === 'transfers' ? WATCHED_OF_TRANSFERS : 't';
    const text = `
      select md5(coalesce(string_agg(r.text, '|' order by r.text), '')) as sum
      from (select (${watched})::text as text from ${name} t) r`;
    const [row] = await database.query<{ sum: string }>({ name: '', text });
    parts.push(`${name} ${row?.sum}`);
  }
  return parts.join('\n');
}

/** The rows, once nothing that earlier calls began changes them any more. */
async function readWhenQuiet(): Promise<string> {
  let rows = await readEverything();
  for (;;) {
    await wait(QUIET_MS);
    const later = await readEverything();
    if (later === rows) return rows;
    rows = later;
  }
}

/** Makes the calls, and asserts that none of those expected to be refused changed anything. */
async function assertAnswers(
  calls: readonly Readonly<{
    area: Area;
    operation: Operation;
    caller: Caller;
    who: string;
    expected: string;
  }>[],
): Promise<void> {
  const stopped = calls.filter(({ expected }) => expected !== 'let in');
  const answers = new Map<object, string>();
  const before = await readWhenQuiet();
  for (const one of stopped) answers.set(one, await call(one.area, one.operation, one.caller));
  assert.equal(await readEverything(), before, 'a refused call changed something');
  for (const one of calls.filter((each) => !stopped.includes(each))) {
    answers.set(one, await call(one.area, one.operation, one.caller));
  }
  const wrong = calls.filter((one) => answers.get(one) !== one.expected);
  assert.deepEqual(
    wrong.map(
      (one) => `${one.who}: ${nameOf(one.operation)} is ${answers.get(one)}, not ${one.expected}`,
    ),
    [],
  );
}

describe('the operations of a book', () => {
  for (const role of MERCHANT_ROLES) {
    it(`let a ${role} do what the table says, in both modes`, async () => {
      const roles = [{ merchantId: merchant.id, role }];
      const person = await storePerson(database, { roles });
      const calls = MODES.flatMap((mode) =>
        bookOperations.map((operation) => {
          const may = ruleOf(BOOK_RULES, operation).may.includes(role) || isFree(role, mode);
          const caller = { person, bookId: merchant.books[mode] };
          const expected = may ? 'let in' : REFUSED;
          return { area: 'book', operation, caller, who: `${role} in ${mode}`, expected } as const;
        }),
      );
      await assertAnswers(calls);
    });
  }

  it('need a session or a key, and a fresh second factor where the table says so', async () => {
    const roles = [{ merchantId: merchant.id, role: 'owner' as const }];
    const stale = await storePerson(database, { roles, steppedUpAt: null });
    const calls = bookOperations.flatMap((operation) => {
      const { stepUp } = ruleOf(BOOK_RULES, operation);
      const nothing = { person: null, bookId: merchant.books.test };
      return [
        {
          area: 'book',
          operation,
          caller: nothing,
          who: 'no session',
          expected: '401 UNAUTHORIZED',
        },
        ...MODES.map((mode) => ({
          area: 'book' as const,
          operation,
          caller: { person: stale, bookId: merchant.books[mode] },
          who: `owner in ${mode} without a fresh factor`,
          expected: mustStepUp(stepUp, mode) ? '403 STEP_UP_REQUIRED' : 'let in',
        })),
      ] as const;
    });
    await assertAnswers(calls);
  });
});

function isFree(role: MerchantRole, mode: Mode): boolean {
  return role === 'developer' && mode === 'test';
}

function mustStepUp(stepUp: true | 'live' | undefined, mode: Mode): boolean {
  return stepUp === true || (stepUp === 'live' && mode === 'live');
}

describe('the operations of a merchant', () => {
  it('let each role do what the table says, and no one else see them', async () => {
    const stranger = await storePerson(database, {});
    const calls = [];
    for (const role of MERCHANT_ROLES) {
      const roles = [{ merchantId: merchant.id, role }];
      const person = await storePerson(database, { roles });
      const stale = await storePerson(database, { roles, steppedUpAt: null });
      for (const operation of operations.merchant) {
        const { may, stepUp } = ruleOf(MERCHANT_RULES, operation);
        const about = { area: 'merchant', operation } as const;
        const expected = may.includes(role) ? 'let in' : REFUSED;
        calls.push({ ...about, caller: { person }, who: role, expected });
        if (stepUp !== true || !may.includes(role)) continue;
        const who = `${role} without a fresh factor`;
        calls.push({ ...about, caller: { person: stale }, who, expected: '403 STEP_UP_REQUIRED' });
      }
    }
    for (const operation of operations.merchant) {
      const about = { area: 'merchant', operation } as const;
      const who = 'no session';
      calls.push({ ...about, caller: { person: null }, who, expected: '401 UNAUTHORIZED' });
      assert.equal(await statusOf('merchant', operation, stranger), '404 NOT_FOUND');
    }
    await assertAnswers(calls);
  });
});

/** The status and code, of a guard or of the operation. */
async function statusOf(area: Area, { method, path }: Operation, { headers }: TestPerson) {
  const target = PREFIXES[area].replace(':merchantId', merchant.id) + path;
  const response = await fetch(service.baseUrl + target.replace(/:\w+/g, NO_ID), {
    method,
    headers,
  });
  const { data } = (await response.json()) as { data: { error?: { code: string } } };
  return `${response.status} ${data?.error?.code}`;
}

describe("the staff's operations", () => {
  for (const role of STAFF_ROLES) {
    it(`let ${role} do what the table says`, async () => {
      const person = await storePerson(database, { staffRoles: [role] });
      const stale = await storePerson(database, { staffRoles: [role], steppedUpAt: null });
      const calls = operations.staff.flatMap((operation) => {
        const { may, stepUp } = ruleOf(STAFF_RULES, operation);
        const expected = may.includes(role) ? 'let in' : REFUSED;
        const about = { area: 'staff', operation } as const;
        const unproven = stepUp === true && may.includes(role) ? '403 STEP_UP_REQUIRED' : expected;
        const who = `${role} without a fresh factor`;
        return [
          { ...about, caller: { person }, who: role, expected },
          { ...about, caller: { person: stale }, who, expected: unproven },
        ];
      });
      await assertAnswers(calls);
    });
  }

  it('do not exist for people of merchants, and need a session and a second factor', async () => {
    const roles = [{ merchantId: merchant.id, role: 'owner' as const }];
    const owner = await storePerson(database, { roles });
    const weak = await storePerson(database, { staffRoles: STAFF_ROLES, hasSecondFactor: false });
    const calls = operations.staff.flatMap((operation) => {
      const about = { area: 'staff', operation } as const;
      const without = '403 SECOND_FACTOR_REQUIRED';
      return [
        { ...about, caller: { person: null }, who: 'no session', expected: '401 UNAUTHORIZED' },
        { ...about, caller: { person: weak }, who: 'no second factor', expected: without },
      ];
    });
    await assertAnswers(calls);
    for (const operation of operations.staff) {
      assert.equal(await statusOf('staff', operation, owner), '404 NOT_FOUND', nameOf(operation));
    }
  });
});

describe("a person's own operations", () => {
  it('need a fresh second factor where the table says so', async () => {
    const person = await storePerson(database, { steppedUpAt: null });
    const proven = operations.own.filter((operation) => OWN_STEP_UP.includes(nameOf(operation)));
    assert.equal(proven.length, OWN_STEP_UP.length);
    const expected = '403 STEP_UP_REQUIRED';
    await assertAnswers(
      proven.map((operation) => ({
        area: 'own' as const,
        operation,
        caller: { person },
        who: 'a person without a fresh factor',
        expected,
      })),
    );
  });

  it('need a session', async () => {
    const calls = operations.own.map(
      (operation) =>
        ({
          area: 'own',
          operation,
          caller: { person: null },
          who: 'no session',
          expected: '401 UNAUTHORIZED',
        }) as const,
    );
    await assertAnswers(calls);
  });
});
