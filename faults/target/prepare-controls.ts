import type { Database } from '../../service/src/postgres/database.ts';
import { createTestMerchant } from '../../service/test/test-merchant.ts';
import { storePerson } from '../../service/test/test-person.ts';
import type { ControlAccess } from '../clients/controls/control-access.ts';
import { writePolicy } from '../clients/controls/write-policy.ts';
import type { ControlFacts } from '../journal/exchange-record.ts';
import { CONTROL_PEOPLE, type ControlPerson, type ControlsPlan } from '../plan/controls-plan.ts';

const ANSWER_TIMEOUT_MS = 30_000;
const MONTH_MS = 31 * 24 * 60 * 60 * 1_000;

export type PreparedControls = Readonly<{ access: ControlAccess; facts: ControlFacts }>;

/** A merchant whose live book has a policy, published by two owners over the API. */
export async function prepareControls(
  database: Database,
  { plan, port }: Readonly<{ plan: ControlsPlan; port: number | undefined }>,
): Promise<PreparedControls> {
  const merchant = await createTestMerchant(database);
  const people = {} as Record<ControlPerson, { id: string; cookie: string }>;
  for (const [name, roles] of Object.entries(CONTROL_PEOPLE)) {
    const person = await storePerson(database, {
      name,
      roles: roles.map((role) => ({ merchantId: merchant.id, role })),
    });
    people[name as ControlPerson] = { id: person.id, cookie: person.headers.cookie };
  }
  const access: ControlAccess = {
    bookId: merchant.books.live,
    walletId: merchant.wallets.live.ZMW,
    apiKey: merchant.keys.live,
    people,
  };
  await publish(port, access, plan);
  const { approvalFromMinor, approvals, dayLimitMinor, recipientMax } = plan;
  return {
    access,
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
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/payments/policy/draft${path}`, {
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
    if (answer.ok) continue;
    throw new Error(`the policy could not be published: ${await answer.text()}`);
  }
}
