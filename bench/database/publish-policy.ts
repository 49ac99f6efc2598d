import { randomUUID } from 'node:crypto';
import type { Book } from '../../service/src/domain/book.ts';
import { parsePolicy } from '../../service/src/domain/policy/parse-policy.ts';
import { hashDocument } from '../../service/src/policies/content-hash.ts';
import { putInForce } from '../../service/src/policies/put-in-force.ts';
import { openDatabase } from '../../service/src/postgres/database.ts';

const PERSON = { kind: 'person', id: randomUUID(), name: 'Bench' } as const;

/** Rules that the order alone decides, of every kind, and that the load of a bench does not match. */
function simpleRules(count: number): readonly object[] {
  const conditions = [
    { amountAtLeast: '1000000.00' },
    { operator: ['zamtel'], country: ['zm'] },
    { source: ['console', 'file'] },
    { metadata: { team: ['payroll', 'refunds'] } },
    { hours: { zone: 'Africa/Lusaka', days: ['mon'], from: '00:00', to: '00:01' } },
  ];
  return Array.from({ length: count }, (_, index) => ({
    name: `rule ${index}`,
    when: conditions[index % conditions.length],
    require: { warn: true },
  }));
}

/** Gives every book a policy of so many simple rules. */
export async function publishPolicies(url: string, rules: number): Promise<void> {
  const document = { rules: simpleRules(rules) };
  const parsed = parsePolicy(document);
  if (!parsed.isValid) throw new Error('the policy of the bench is not valid');
  const { policy } = parsed;
  const now = () => new Date();
  const database = openDatabase({
    connectionString: url,
    applicationName: 'bench policies',
    connectionsMax: 1,
    onError: () => undefined,
  });
  try {
    const books = await database.query<{ id: string; merchant_id: string }>({
      name: '',
      text: `select id, merchant_id from books where mode = 'test' order by id`,
    });
    const draft = {
      document,
      contentHash: hashDocument(document),
      changedBy: PERSON,
      changedAt: now(),
      replay: null,
      publishedBy: null,
    };
    const deps = { database, now, newId: randomUUID };
    for (const { id, merchant_id: merchantId } of books) {
      const book: Book = { ...NO_FEES, id, merchantId };
      await database.transaction((tx) =>
        putInForce(tx, deps, { actor: PERSON, book, draft, policy, publishedBy: [PERSON] }),
      );
    }
  } finally {
    await database.close();
  }
}

const NO_FEES = {
  mode: 'test',
  feeTerms: { fixedMinor: 0n, basisPoints: 0 },
  isSuspended: false,
  controlsVersion: null,
} as const;
