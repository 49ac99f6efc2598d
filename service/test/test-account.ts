import { randomBytes, randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { MerchantRole, StaffRole } from '../src/domain/roles.ts';
import { createPasswordHasher } from '../src/people/hash-password.ts';
import { storeRecoveryCodes, storeTotp } from '../src/people/store-totp.ts';
import { createTotpSecret } from '../src/people/totp.ts';
import type { Database } from '../src/postgres/database.ts';
import { createSealer } from '../src/webhooks/seal-secret.ts';
import { TEST_SEALING_KEY } from './running-service.ts';
import { storePerson } from './test-person.ts';

const STEP_MS = 30_000;
export const TEST_PASSWORD = 'copper kettle drizzle ninth';

type Given = Readonly<{
  staffRoles?: readonly StaffRole[];
  roles?: readonly Readonly<{ merchantId: string; role: MerchantRole; bookId?: string }>[];
  /** Default: true. */
  hasTotp?: boolean;
}>;

/** A person who can sign in. */
export type TestAccount = Readonly<{
  id: string;
  name: string;
  email: string;
  password: string;
  totpSecret: string;
  recoveryCodes: readonly string[];
}>;

/** Hashed once: with the parameters of production it takes a while. */
let storedPassword: Promise<string> | undefined;

/** Stores a person with a password and, unless told otherwise, an authenticator app and recovery codes. */
export async function storeAccount(database: Database, given: Given = {}): Promise<TestAccount> {
  const { hasTotp = true, ...roles } = given;
  const { id, name, email } = await storePerson(database, roles);
  storedPassword ??= createPasswordHasher({ randomBytes }).hash(TEST_PASSWORD);
  const run = (text: string, values: readonly unknown[]) =>
    database.query({ name: '', text }, values);
  await run('update people set password_hash = $2 where id = $1', [id, await storedPassword]);
  await run('delete from sessions where person_id = $1', [id]);
  const totpSecret = createTotpSecret(randomBytes);
  const sealer = createSealer([TEST_SEALING_KEY]);
  const deps = { database, sealer, now: () => new Date(), newId: () => randomUUID(), randomBytes };
  if (hasTotp) await storeTotp(database, deps, { personId: id, secret: totpSecret, lastStep: 0n });
  const recoveryCodes = hasTotp ? await storeRecoveryCodes(database, deps, id) : [];
  return { id, name, email, password: TEST_PASSWORD, totpSecret, recoveryCodes };
}

/** The code of the present time step, or of one before or after it. */
export function totpCode(secret: string, stepsAway = 0): string {
  const timestamp = Date.now() + stepsAway * STEP_MS;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Lets a code of the present step work again, as half a minute would. */
export async function forgetUsedCodes(database: Database, { id }: TestAccount): Promise<void> {
  const text = 'update totp_factors set last_step = 0 where person_id = $1';
  await database.query({ name: '', text }, [id]);
}
