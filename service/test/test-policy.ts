import assert from 'node:assert/strict';
import { compilePolicy } from '../src/domain/policy/compile-policy.ts';
import type { Answers, Order } from '../src/domain/policy/order.ts';
import { parsePolicy } from '../src/domain/policy/parse-policy.ts';

export const WALLET = '019b7e1c-0000-7000-8000-000000000001';
export const KEY = '019b7e1c-0000-7000-8000-000000000002';
export const PERSON = '019b7e1c-0000-7000-8000-000000000003';

/** A Monday, at noon in Lusaka. */
export const ORDER: Order = {
  amountMinor: 500_000n,
  currency: 'ZMW',
  phone: '+260977433571',
  operator: 'airtel',
  country: 'zm',
  walletId: WALLET,
  keyId: KEY,
  personId: null,
  source: 'api',
  metadata: null,
  recipientName: null,
  at: new Date('2026-11-16T10:00:00Z'),
  sendAt: null,
};

/** Nothing happened before. */
export const QUIET: Answers = {
  sumMinor: () => 0n,
  count: () => 0,
  isFirstPayment: () => false,
  isSimilar: () => false,
  nameMatch: () => null,
  isOnAllowList: () => false,
};

/** Fails if the document is not valid. */
export function compile(document: unknown) {
  const parsed = parsePolicy(document);
  assert.ok(parsed.isValid, parsed.isValid ? '' : JSON.stringify(parsed.problems));
  return compilePolicy(parsed.policy);
}

/** Rules that refuse, each under these conditions. */
export const compileRules = (...rules: readonly object[]) =>
  compile({
    rules: rules.map((when, index) => ({ name: `r${index}`, when, require: { refuse: true } })),
  });
