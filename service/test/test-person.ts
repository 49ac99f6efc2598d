import { randomBytes, randomUUID } from 'node:crypto';
import type { MerchantRole, StaffRole } from '../src/domain/roles.ts';
import { createSessionToken } from '../src/people/session-token.ts';
import type { Queryable } from '../src/postgres/database.ts';

/** Files that share a process store their people when it starts, and use them when their turn comes. */
const TESTS_LAST_MS = 60 * 60_000;

type Given = Readonly<{
  name?: string;
  staffRoles?: readonly StaffRole[];
  /** `bookId` undefined: in all books of the merchant. */
  roles?: readonly Readonly<{ merchantId: string; role: MerchantRole; bookId?: string }>[];
  /** Default: holds for as long as a test process runs. Null: never. */
  steppedUpAt?: Date | null;
  hasSecondFactor?: boolean;
}>;

/** A person with an open session. `headers` are what a browser on this machine sends. */
export type TestPerson = Readonly<{
  id: string;
  name: string;
  email: string;
  sessionId: string;
  headers: Readonly<{ cookie: string }>;
}>;

/** Stores a person with roles and a session, without signing in. */
export async function storePerson(database: Queryable, given: Given = {}): Promise<TestPerson> {
  const id = randomUUID();
  const name = given.name ?? 'Mutale Banda';
  const email = `${id}@example.test`;
  const at = new Date();
  const run = (text: string, values: readonly unknown[]) =>
    database.query({ name: '', text }, values);
  await run('insert into people (id, name, email, created_at) values ($1, $2, $3, $4)', [
    id,
    name,
    email,
    at,
  ]);
  for (const role of given.staffRoles ?? []) {
    await run('insert into staff_roles (person_id, role, given_at) values ($1, $2, $3)', [
      id,
      role,
      at,
    ]);
  }
  for (const { merchantId, role, bookId = null } of given.roles ?? []) {
    await run(
      `insert into merchant_roles (person_id, merchant_id, role, book_id, given_at)
       values ($1, $2, $3, $4, $5)`,
      [id, merchantId, role, bookId, at],
    );
  }
  const token = createSessionToken(randomBytes);
  const sessionId = randomUUID();
  await run(
    `insert into sessions (
       id, token_hash, person_id, has_second_factor, stepped_up_at, address, user_agent, created_at,
       last_used_at, expires_at
     )
     values ($1, $2, $3, $4, $5, '127.0.0.1', 'test', $6, $6, $6::timestamptz + interval '12 hours')`,
    [
      sessionId,
      token.hash,
      id,
      given.hasSecondFactor ?? true,
      given.steppedUpAt === undefined ? new Date(at.getTime() + TESTS_LAST_MS) : given.steppedUpAt,
      at,
    ],
  );
  return { id, name, email, sessionId, headers: { cookie: `kafue=${token.text}` } };
}
