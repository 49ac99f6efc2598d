import { recordAct } from '../acts/record-act.ts';
import type { SystemActor } from '../domain/actor.ts';
import type { Currency } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import { fundWallet } from '../ledger/fund-wallet.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { readApiKey } from './api-key.ts';
import { SCOPES } from './authenticated-key.ts';
import { createMerchantIn } from './create-merchant.ts';
import { createWalletIn } from './create-wallet.ts';
import { issueKeyIn, type KeyDeps, keyFacts } from './issue-key.ts';

const ACTOR: SystemActor = { kind: 'system', part: 'demo merchant' };
const MERCHANT_NAME = 'Demo';
/** Keys are found again by their name, which says where they are kept. */
const KEY_NAME = 'demo.json';
/** 1,000,000.00 */
const FUNDS_MINOR = 100_000_000n;

type WalletIds = Readonly<Record<Currency, string>>;
/** All that a newcomer needs for a first payout. */
export type DemoAccess = Readonly<{
  testKey: string;
  liveKey: string;
  wallets: Readonly<Record<Mode, WalletIds>>;
}>;
export type DemoDeps = KeyDeps & Readonly<{ database: Database }>;

type Book = Readonly<{ id: string; mode: Mode }>;

/**
 * Makes the demo merchant unless a merchant of its name exists; then undefined. All in one
 * transaction: a start killed halfway leaves nothing, and the next one makes it whole.
 */
export async function createDemoMerchant(deps: DemoDeps): Promise<DemoAccess | undefined> {
  return deps.database.transaction(async (tx) => {
    await tx.query(LOCK_MERCHANTS);
    if ((await tx.query(FIND_NAMESAKE, [MERCHANT_NAME])).length > 0) return undefined;
    const feeTerms = { fixedMinor: 0n, basisPoints: 0 };
    const request = { actor: ACTOR, name: MERCHANT_NAME, feeTerms };
    const { books } = await createMerchantIn(tx, deps, request);
    const test: Book = { id: books.test.id, mode: 'test' };
    const live: Book = { id: books.live.id, mode: 'live' };
    return {
      testKey: await issueDemoKey(tx, deps, test),
      liveKey: await issueDemoKey(tx, deps, live),
      wallets: {
        test: await createWallets(tx, deps, test),
        live: await createWallets(tx, deps, live),
      },
    };
  });
}

/**
 * Issues new keys for the demo merchant, whose old ones are lost, and revokes those. Undefined when
 * this database has no demo merchant.
 */
export async function renewDemoKeys(deps: DemoDeps): Promise<DemoAccess | undefined> {
  return deps.database.transaction(async (tx) => {
    const test = await findDemoBook(tx, 'test');
    const live = await findDemoBook(tx, 'live');
    // Another merchant that is called Demo has no keys of this name.
    if (test === undefined || live === undefined) return undefined;
    await tx.query(REVOKE_DEMO_KEYS, [MERCHANT_NAME, KEY_NAME, deps.now()]);
    return {
      testKey: await issueDemoKey(tx, deps, { id: test.id, mode: 'test' }),
      liveKey: await issueDemoKey(tx, deps, { id: live.id, mode: 'live' }),
      wallets: { test: test.wallets, live: live.wallets },
    };
  });
}

async function issueDemoKey(tx: Queryable, deps: DemoDeps, book: Book): Promise<string> {
  const rules = { name: KEY_NAME, scopes: SCOPES, addresses: [], expiresAt: null };
  const request = { bookId: book.id, mode: book.mode, ...rules };
  const issued = await issueKeyIn(tx, deps, request, { maker: null });
  await recordAct(tx, deps, {
    actor: ACTOR,
    kind: 'KEY_ISSUED',
    subject: issued.id,
    merchantId: issued.merchantId,
    bookId: issued.bookId,
    reason: null,
    before: null,
    after: keyFacts({ ...issued, revokedAt: null }),
  });
  return issued.text;
}

async function createWallets(tx: Queryable, deps: DemoDeps, book: Book): Promise<WalletIds> {
  const create = async (currency: Currency): Promise<string> => {
    const request = { actor: ACTOR, bookId: book.id, currency, name: `Demo ${currency}` };
    const { id } = await createWalletIn(tx, deps, request);
    if (book.mode === 'test') await fund(tx, deps, { bookId: book.id, walletId: id, currency });
    return id;
  };
  return { ZMW: await create('ZMW'), NGN: await create('NGN') };
}

async function fund(
  tx: Queryable,
  deps: DemoDeps,
  {
    bookId,
    walletId,
    currency,
  }: Readonly<{ bookId: string; walletId: string; currency: Currency }>,
): Promise<void> {
  const result = await fundWallet(
    { database: tx, now: deps.now },
    // A funding reference is unique in its book, and both wallets are in one.
    { bookId, walletId, amountMinor: FUNDS_MINOR, fundingReference: `demo-${currency}` },
  );
  if (result !== 'funded') throw new Error(`the demo wallet was not funded: ${result}`);
}

type DemoBook = Readonly<{ id: string; merchantId: string; wallets: WalletIds }>;

/** Undefined: there is no demo merchant, or a user made another one called Demo. */
export async function findDemoBook(tx: Queryable, mode: Mode): Promise<DemoBook | undefined> {
  const rows = await tx.query<WalletRow>(FIND_WALLETS, [MERCHANT_NAME, KEY_NAME, mode]);
  const zmw = rows.find(({ currency }) => currency === 'ZMW');
  const ngn = rows.find(({ currency }) => currency === 'NGN');
  if (zmw === undefined || ngn === undefined) return undefined;
  const wallets = { ZMW: zmw.id, NGN: ngn.id };
  return { id: zmw.book_id, merchantId: zmw.merchant_id, wallets };
}

type WalletRow = { merchant_id: string; book_id: string; id: string; currency: Currency };

/** Whether a key was ever issued here; a revoked one counts too. */
export async function isIssuedHere(database: Queryable, keyText: string): Promise<boolean> {
  const hash = readApiKey(keyText)?.hash;
  if (hash === undefined) return false;
  return (await database.query(FIND_ISSUED, [hash])).length === 1;
}

/** The merchant whose book a key opens; a revoked key counts too. */
export async function findDemoMerchant(
  database: Queryable,
  keyText: string,
): Promise<Readonly<{ id: string; name: string }> | undefined> {
  const hash = readApiKey(keyText)?.hash;
  const rows = await database.query<{ id: string; name: string }>(FIND_OF_KEY, [hash ?? '']);
  return rows[0];
}

const FIND_OF_KEY: Statement = {
  name: '',
  text: `
    select m.id, m.name
    from api_keys k
    join books b on b.id = k.book_id
    join merchants m on m.id = b.merchant_id
    where k.hash = decode($1, 'hex')`,
};

const FIND_ISSUED: Statement = {
  name: '',
  text: `select id from api_keys where hash = decode($1, 'hex')`,
};

// Two services that start at once take turns, and the second sees the first one's merchant.
const LOCK_MERCHANTS: Statement = {
  name: '',
  text: 'lock table merchants in share row exclusive mode',
};

const FIND_NAMESAKE: Statement = {
  name: '',
  text: 'select id from merchants where lower(name) = lower($1)',
};

// The oldest wallet of each currency.
const FIND_WALLETS: Statement = {
  name: '',
  text: `
    select distinct on (w.currency) m.id as merchant_id, w.book_id, w.id, w.currency
    from merchants m
    join books b on b.merchant_id = m.id
    join wallets w on w.book_id = b.id
    where lower(m.name) = lower($1) and b.mode = $3
      and exists (select from api_keys k where k.book_id = b.id and k.name = $2)
    order by w.currency, w.created_at, w.id`,
};

const REVOKE_DEMO_KEYS: Statement = {
  name: '',
  text: `
    update api_keys k
    set revoked_at = $3
    from books b
    join merchants m on m.id = b.merchant_id
    where k.book_id = b.id and lower(m.name) = lower($1) and k.name = $2 and k.revoked_at is null`,
};
