import { randomUUID } from 'node:crypto';
import type { Book } from '../src/domain/book.ts';
import { parsePolicy } from '../src/domain/policy/parse-policy.ts';
import { hashDocument } from '../src/policies/content-hash.ts';
import type { PolicyDocument } from '../src/policies/policy-version.ts';
import { putInForce } from '../src/policies/put-in-force.ts';
import type { Database } from '../src/postgres/database.ts';

const OWNER = { kind: 'person', id: randomUUID(), name: 'Owner' } as const;
const SECOND = { id: randomUUID(), name: 'Second owner' };

/** Makes the policy of a book be in force, without a draft and its checks. */
export async function putPolicy(
  database: Database,
  book: Book,
  rules: PolicyDocument['rules'],
): Promise<void> {
  const document = { rules };
  const parsed = parsePolicy(document);
  if (!parsed.isValid) throw new Error(JSON.stringify(parsed.problems));
  const deps = { database, now: () => new Date(), newId: randomUUID };
  const draft = {
    document,
    contentHash: hashDocument(document),
    changedBy: OWNER,
    changedAt: new Date(),
    replay: null,
    publishedBy: null,
  };
  await database.transaction((tx) =>
    putInForce(tx, deps, {
      actor: OWNER,
      book,
      draft,
      policy: parsed.policy,
      publishedBy: book.mode === 'live' ? [OWNER, SECOND] : [OWNER],
    }),
  );
}
