import type { Database, Statement } from '../../service/src/postgres/database.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import { storePerson } from '../../service/test/test-person.ts';
import type { ControlAccess } from '../clients/controls/control-access.ts';
import { SCREENER, writePolicy } from '../clients/controls/write-policy.ts';
import { type ControlFacts, SCREENER_PATH } from '../journal/exchange-record.ts';
import { CONTROL_PEOPLE, type ControlPerson, type ControlsPlan } from '../plan/controls-plan.ts';

const ANSWER_TIMEOUT_MS = 30_000;
const MONTH_MS = 31 * 24 * 60 * 60 * 1_000;
/** Less than a receiver that hangs takes. */
const SCREENER_DEADLINE_MS = 1_000;

/**
 * A service whose clock is moved by an hour, or by years, ends sessions that were not used for that long. Here people do
 * not sign in again.
 */
const STAY_SIGNED_IN: Statement = {
  name: '',
  text: `
    update sessions
    set last_used_at = last_used_at + interval '30 years',
        stepped_up_at = stepped_up_at + interval '30 years',
        expires_at = expires_at + interval '30 years'
    where id = $1`,
};

export type PreparedControls = Readonly<{
  access: ControlAccess;
  facts: ControlFacts;
  /** Keys and secrets of this merchant, and the numbers that it pays. */
  canaries: readonly string[];
}>;

/** A merchant whose live book has a screener and a policy, published by two owners over the API. */
export async function prepareControls(
  database: Database,
  { plan, port, receiverUrl }: Target & Readonly<{ plan: ControlsPlan }>,
): Promise<PreparedControls> {
  const merchant = await createTestMerchant(database);
  const people = {} as Record<ControlPerson, { id: string; cookie: string }>;
  for (const [name, roles] of Object.entries(CONTROL_PEOPLE)) {
    const person = await storePerson(database, {
      name,
      roles: roles.map((role) => ({ merchantId: merchant.id, role })),
    });
    people[name as ControlPerson] = { id: person.id, cookie: person.headers.cookie };
    await database.query(STAY_SIGNED_IN, [person.sessionId]);
  }
  const access: ControlAccess = {
    bookId: merchant.books.live,
    walletId: merchant.wallets.live.ZMW,
    apiKey: merchant.keys.live,
    people,
  };
  const secret = await addScreener({ port, receiverUrl }, access);
  await publish(port, access, plan);
  const { approvalFromMinor, approvals, dayLimitMinor, recipientMax } = plan;
  const phones = [...plan.orders, ...(plan.file?.rows ?? [])].map(({ phone }) =>
    phone.replace(/\D/g, '').slice(-PHONE_DIGITS),
  );
  const tokens = Object.values(people).map(({ cookie }) => cookie.slice(cookie.indexOf('=') + 1));
  return {
    access,
    canaries: [...phones, ...tokens, access.apiKey, secret],
    facts: {
      bookId: access.bookId,
      walletId: access.walletId,
      approvalFromMinor,
      approvals,
      dayLimitMinor,
      recipientMax,
      people: Object.entries(CONTROL_PEOPLE).map(([name, roles]) => ({
        id: people[name as ControlPerson].id,
        roles,
      })),
    },
  };
}

type Target = Readonly<{ port: number | undefined; receiverUrl: string }>;

/** The digits of a number without its country. */
const PHONE_DIGITS = 9;

/** Returns its secret. */
async function addScreener({ port, receiverUrl }: Target, access: ControlAccess): Promise<string> {
  const url = new URL(SCREENER_PATH, receiverUrl).href;
  const body = JSON.stringify({ name: SCREENER, url, deadlineMs: SCREENER_DEADLINE_MS });
  const call = { person: 'owner-1', method: 'POST', path: '/screeners', body } as const;
  const answer = (await callApi(port, access, call)) as { data: { secret: string } };
  return answer.data.secret;
}

async function publish(
  port: number | undefined,
  access: ControlAccess,
  plan: ControlsPlan,
): Promise<void> {
  const to = new Date();
  const range = { from: new Date(to.getTime() - MONTH_MS).toISOString(), to: to.toISOString() };
  const steps = [
    ['owner-1', 'PUT', '', writePolicy(plan)],
    ['owner-1', 'POST', '/replay', JSON.stringify(range)],
    ['owner-1', 'POST', '/publish', '{}'],
    ['owner-2', 'POST', '/confirm', '{}'],
  ] as const;
  for (const [person, method, path, body] of steps) {
    await callApi(port, access, { person, method, path: `/policy/draft${path}`, body });
  }
}

async function callApi(
  port: number | undefined,
  access: ControlAccess,
  call: Readonly<{ person: ControlPerson; method: 'PUT' | 'POST'; path: string; body: string }>,
): Promise<unknown> {
  const { person, method, path, body } = call;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/payments${path}`, {
    method,
    headers: {
      cookie: access.people[person].cookie,
      'x-book': access.bookId,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    },
    body,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  if (answer.ok) return answer.json();
  throw new Error(`${path} was refused: ${await answer.text()}`);
}
