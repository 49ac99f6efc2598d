import type { ActDeps } from '../acts/act.ts';
import { recordAct } from '../acts/record-act.ts';
import type { SystemActor } from '../domain/actor.ts';
import type { MerchantRole, StaffRole } from '../domain/roles.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { PasswordHasher } from './hash-password.ts';
import type { PeopleDeps } from './people-deps.ts';
import { storeTotp } from './store-totp.ts';
import { describeRoles, type Team } from './team.ts';
import { giveRoles } from './team-roles.ts';
import { createTotpSecret } from './totp.ts';

const ACTOR: SystemActor = { kind: 'system', part: 'demo people' };
/** 32 characters that cannot be taken for each other; five bits of a random byte choose one. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const PASSWORD_CHARACTERS = 20;
/** Longer than the history of the demo, in which they act. */
const ROLES_SINCE_MS = 365 * 24 * 60 * 60_000;
const MERCHANT_PEOPLE = ['owner', 'maker', 'approver', 'viewer'] as const;
const STAFF_PEOPLE = ['admin', 'treasurer', 'support', 'auditor'] as const;

/** All that is needed to sign in as one of them. */
export type DemoPerson = Readonly<{
  email: string;
  password: string;
  totpSecret: string;
  /** The name of the merchant; null: of the staff. */
  merchant: string | null;
  roles: readonly string[];
}>;

export type DemoPeopleDeps = PeopleDeps & ActDeps & Readonly<{ passwords: PasswordHasher }>;

type DemoRole = MerchantRole | StaffRole;

/**
 * Makes one person for each role, of the demo merchant and of the staff. People who exist already, whose passwords
 * are lost, get new ones and keep the roles that they have.
 */
export async function makeDemoPeople(
  deps: DemoPeopleDeps,
  merchant: Readonly<{ id: string; name: string }>,
): Promise<readonly DemoPerson[]> {
  const made = [
    ...MERCHANT_PEOPLE.map((role) => draw(deps, { role, merchant: merchant.name })),
    ...STAFF_PEOPLE.map((role) => draw(deps, { role, merchant: null })),
  ];
  const hashes = await Promise.all(made.map(({ person }) => deps.passwords.hash(person.password)));
  await deps.directory.transaction(async (tx) => {
    await tx.query(LOCK);
    for (const [index, { person, role }] of made.entries()) {
      const team = { merchantId: person.merchant === null ? null : merchant.id };
      await store(tx, deps, { person, role, team, passwordHash: hashes[index] ?? '' });
    }
  });
  return made.map(({ person }) => person);
}

/** Whether all of them are demo people that were created in this database. */
export async function areDemoPeople(
  directory: Queryable,
  people: readonly DemoPerson[],
): Promise<boolean> {
  const emails = people.map(({ email }) => email);
  return (await directory.query(FIND_ALL, [emails])).length === emails.length;
}

/** The people in a file that was read; undefined: it has none, or is broken. */
export function readDemoPeople(value: unknown): readonly DemoPerson[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const people = value.map(readPerson).filter((person) => person !== undefined);
  const expected = MERCHANT_PEOPLE.length + STAFF_PEOPLE.length;
  return people.length === expected && value.length === expected ? people : undefined;
}

function readPerson(value: unknown): DemoPerson | undefined {
  const at = (name: string): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  const [email, password, totpSecret] = [at('email'), at('password'), at('totpSecret')];
  const [merchant, roles] = [at('merchant'), at('roles')];
  if (typeof email !== 'string' || typeof password !== 'string') return undefined;
  if (typeof totpSecret !== 'string' || !Array.isArray(roles)) return undefined;
  if (merchant !== null && typeof merchant !== 'string') return undefined;
  return { email, password, totpSecret, merchant, roles: roles.map(String) };
}

function draw(
  { randomBytes }: DemoPeopleDeps,
  { role, merchant }: Readonly<{ role: DemoRole; merchant: string | null }>,
): Readonly<{ person: DemoPerson; role: DemoRole }> {
  const email = `${role}@${merchant === null ? 'kafue' : 'demo'}.test`;
  const password = createPassword(randomBytes);
  const totpSecret = createTotpSecret(randomBytes);
  return { person: { email, password, totpSecret, merchant, roles: [role] }, role };
}

/** 100 random bits in four groups, such as k7m2x-9fqhd-3wnrt-p8zbc. */
function createPassword(randomBytes: (size: number) => Uint8Array): string {
  const characters = Array.from(randomBytes(PASSWORD_CHARACTERS), (byte) => ALPHABET[byte & 31]);
  return characters.join('').replace(/.{5}(?=.)/g, '$&-');
}

type Stored = Readonly<{ person: DemoPerson; role: DemoRole; team: Team; passwordHash: string }>;

async function store(
  tx: Queryable,
  deps: DemoPeopleDeps,
  { person, role, team, passwordHash }: Stored,
): Promise<void> {
  const { email, totpSecret: secret } = person;
  const name = `Demo ${role}`;
  const at = deps.now();
  const [stored] = await tx.query<{ id: string; is_new: boolean }>(STORE, [
    deps.newId(),
    name,
    email,
    passwordHash,
    at,
  ]);
  if (stored === undefined) throw new Error(`the demo person ${role} was not stored`);
  await storeTotp(tx, deps, { personId: stored.id, secret, lastStep: 0n });
  if (!stored.is_new) return;
  const roles = [{ role, bookId: null }];
  const since = new Date(at.getTime() - ROLES_SINCE_MS);
  await giveRoles(tx, team, { personId: stored.id, roles, since });
  await recordAct(tx, deps, {
    actor: ACTOR,
    kind: 'ROLES_CHANGED',
    subject: stored.id,
    merchantId: team.merchantId,
    reason: null,
    before: null,
    after: { name, email, roles: describeRoles(roles) },
  });
}

// Two services that start at once take turns.
const LOCK: Statement = {
  name: '',
  text: `select pg_advisory_xact_lock(hashtextextended('demo people', 0))`,
};

const FIND_ALL: Statement = { name: '', text: 'select id from people where email = any ($1)' };

const STORE: Statement = {
  name: '',
  text: `
    insert into people (id, name, email, password_hash, created_at) values ($1, $2, $3, $4, $5)
    on conflict (email) do update set password_hash = excluded.password_hash
    returning id, id = $1 as is_new`,
};
