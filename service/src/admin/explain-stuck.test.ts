import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Stuck } from '../resolutions/list-stuck.ts';
import { explainStuck } from './explain-stuck.ts';

const DOUBT: Stuck = {
  kind: 'transfer',
  id: '01981e3c-0000-7000-8000-000000000001',
  reference: 'salary-1',
  merchant: 'M',
  mode: 'live',
  amountMinor: 1_000n,
  currency: 'ZMW',
  operator: 'mtn',
  country: 'zm',
  state: 'in_doubt',
  operatorReference: 'their-reference',
  since: new Date('2029-12-31T00:00:00Z'),
  checks: 3,
  nextActionAt: new Date('2030-01-01T00:00:00Z'),
  flagged: false,
  doubtKind: 'NOT_FOUND',
  routeStop: null,
  merchantIsSuspended: false,
  heldBack: null,
  isPaidElsewhere: false,
  fileStop: null,
  reason: 'DOUBT_OPEN',
};

describe('what is said about something stuck', () => {
  it('has the kind of a doubt and the time of the next inquiry, or whom to ask', () => {
    const open = explainStuck(DOUBT);
    assert.match(open.why, /^The operator does not know its reference\. Inquiries on schedule so/);
    assert.match(open.why, /so far: 3; the next inquiry is at 2030-01-01T00:00:00/);
    assert.match(open.whatToDo, /^Nothing yet/);
    const left = explainStuck({ ...DOUBT, reason: 'DOUBT_NEEDS_PERSON', nextActionAt: null });
    assert.match(left.why, /no further inquiry is planned/);
    assert.match(left.whatToDo, /^Ask mtn \(zm\) about reference their-reference\. .*resolve"/);
  });

  it('names the command that ends it', () => {
    for (const [reason, command] of [
      ['DOUBT_NEEDS_PERSON', 'transfers resolve'],
      ['MERCHANT_SUSPENDED', 'merchants resume'],
      ['ROUTE_HELD', 'routes release'],
      ['ROUTE_CLOSED', 'routes open'],
      ['PAID_ELSEWHERE', 'incidents list'],
      ['EARLIER_MAY_BE_PAID', 'incidents list'],
    ] as const) {
      assert.match(explainStuck({ ...DOUBT, reason }).whatToDo, new RegExp(`"${command}"`));
    }
  });

  it('leaves a cancelled file to the service, and no person has to decide about it', () => {
    const { why, whatToDo } = explainStuck({ ...DOUBT, reason: 'FILE_CANCELLED' });
    assert.match(whatToDo, /cancels it by itself/);
    assert.doesNotMatch(why + whatToDo, /waits for a person|approves/);
  });

  it('counts how often a name was requested', () => {
    const unknown = { ...DOUBT, reason: 'NAME_UNKNOWN' } as const;
    assert.match(explainStuck({ ...unknown, checks: 1 }).why, /requested once, and/);
    assert.match(explainStuck(unknown).why, /requested 3 times, and/);
  });
});
