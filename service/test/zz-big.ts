import { randomUUID } from 'node:crypto';
import { createTestDatabase } from './test-database.ts';
import { createTestBook, createTestWallet } from './test-book.ts';
import { storeTransfers } from '../src/transfers/store-transfers.ts';
import { moveTransfers } from '../src/transfers/move-transfers.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { listStuck } from '../src/transfers/list-stuck.ts';
const t = await createTestDatabase();
const db = t.database;
const book = await createTestBook(db);
const ws = [];
for (let i = 0; i < 50; i++) ws.push(await createTestWallet(db, { bookId: book.id, fundedMinor: 100_000_000n }));
const at = new Date();
const lo = randomUUID();
let s = performance.now();
for (let g = 0; g < 100; g++) {
  const accepted = Array.from({ length: 1000 }, (_, i) => ({ idempotencyKey: null, nextActionInMs: 60000, actor: 't', transfer: {
    bookId: book.id, id: randomUUID(), mode: 'test' as const, walletId: ws[i % 50]!, reference: randomUUID(), state: 'submitting' as const, amountMinor: 100n, feeMinor: 1n,
    currency: 'ZMW' as const, phone: '+260977433571', operator: 'mtn' as const, country: 'zm' as const, recipientName: null, narration: null, operatorReference: randomUUID(), operatorTransactionId: null, failureCode: null,
    createdAt: at, updatedAt: at, completedAt: null, inDoubtSince: null, lastCheckedAt: null, nextActionAt: null, checks: 0, notFoundAnswers: 0 } }));
  if (!(await storeTransfers(db, { accepted, leaseOwner: lo, at }))) throw new Error('no');
  if (g % 10 === 0) continue;
  await moveTransfers(db, { mover: lo, at, moves: accepted.map(({ transfer }) => ({ transfer, actor: 't', needsLease: false, leaseFor: null, step: { to: 'succeeded' as const, cause: 'x', failure: null, operatorTransactionId: null, nextActionInMs: null, checks: 0, notFoundAnswers: 0, needsPerson: false } })) });
}
console.log('made', performance.now() - s);
let last = performance.now();
s = last;
const v = await verifyLedger(db, { onProgress: (p) => { const n = performance.now(); console.log((n - last).toFixed(0), 'before', p.check); last = n; } });
console.log(v.ok, v.postingsChecked, performance.now() - s);
s = performance.now(); console.log((await listStuck(db)).stuck.length, performance.now() - s);
await t.drop();
