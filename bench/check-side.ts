import { verifyLedger } from '../service/src/ledger/verify-ledger.ts';
import type { Database, Statement } from '../service/src/postgres/database.ts';
import { AMOUNT_MINOR } from './transfer-request.ts';

const PROBLEMS_NAMED_MAX = 5;

/** How often each status was answered. */
type Answers = ReadonlyMap<string, number>;

/** Answers that are not 201, in words; none is good news. */
export function unwantedAnswers(answers: Answers): readonly string[] {
  return [...answers]
    .filter(([status]) => status !== '201')
    .map(([status, count]) => `${count} answers were ${status}`);
}

/** Holds the database against what the clients were told. What is wrong, in words. */
export async function problemsInDatabase(
  database: Database,
  answers: Answers,
): Promise<readonly string[]> {
  const accepted = BigInt(answers.get('201') ?? 0);
  const [stored] = await database.query<StoredRow>(COUNT);
  if (stored === undefined) throw new Error('a count without a row');
  const problems: string[] = [];
  const compare = (what: string, found: bigint, wanted: bigint) => {
    if (found !== wanted) problems.push(`${what}: ${found}, but it should be ${wanted}`);
  };
  compare('transfers in the database', stored.transfers, accepted);
  compare('hold postings', stored.holds, accepted);
  compare('events of creation', stored.events, accepted);
  compare('held in the wallets, in minor units', stored.held_minor, accepted * AMOUNT_MINOR);
  compare('transfers that were settled meanwhile', stored.finished, 0n);
  if (!stored.durable) problems.push('PostgreSQL did not flush its commits');
  const verification = await verifyLedger(database);
  if (!verification.ok) {
    const named = verification.problems.slice(0, PROBLEMS_NAMED_MAX);
    problems.push(`the ledger has ${verification.problemsTotal} problems`);
    problems.push(...named.map(({ check, message }) => `${check}: ${message}`));
  }
  return problems;
}

type StoredRow = {
  durable: boolean;
  transfers: bigint;
  finished: bigint;
  holds: bigint;
  events: bigint;
  held_minor: bigint;
};

// The database is the side's own: what is in it came from this run.
const COUNT: Statement = {
  name: '',
  text: `
    select current_setting('fsync') = 'on' and current_setting('synchronous_commit') = 'on' as durable,
           (select count(*) from transfers) as transfers,
           (select count(*) from transfers where completed_at is not null) as finished,
           (select count(*) from postings where kind = 'hold') as holds,
           (select count(*) from events where type = 'transfer.created') as events,
           (select coalesce(sum(held_minor), 0)::bigint from wallets) as held_minor`,
};
