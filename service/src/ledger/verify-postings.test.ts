import { randomUUID } from 'node:crypto';
import { describe } from 'node:test';
import { type Damage, itNames, ofTransfer, ofWallet } from '../../test/plant-damage.ts';

const DAMAGES: readonly Damage[] = [
  {
    name: 'a deleted posting',
    text: `delete from postings where transfer_id = $1 and kind = 'release'`,
    values: ofTransfer('failed'),
    found: [
      { check: 'posting numbers', message: /posting \d+ follows posting \d+/ },
      { check: 'running balance', message: /leaves available/ },
      {
        check: 'transfer postings',
        transfer: 'failed',
        message: /is failed, which takes hold 10\.50, release 10\.50, but has hold 10\.50$/,
      },
      { check: 'wallet balance', message: /says available/ },
      { check: 'wallet balance', message: /says held/ },
    ],
  },
  {
    name: 'a posting with another amount',
    text: `update postings set amount_minor = 1001 where transfer_id = $1 and kind = 'settle'`,
    values: ofTransfer('succeeded'),
    found: [
      { check: 'running balance', transfer: 'succeeded', message: /held \d+\.\d0, .* \d+\.\d9$/ },
      {
        check: 'transfer postings',
        transfer: 'succeeded',
        message: /takes .*settle 10\.00, fee 0\.50, but has .*settle 10\.01, fee 0\.50$/,
      },
      { check: 'wallet balance', message: /says held/ },
    ],
  },
  {
    name: 'a balance that was written wrongly',
    text: `
      update postings set available_after_minor = available_after_minor + 7
      where transfer_id = $1 and kind = 'hold'`,
    values: ofTransfer('queued'),
    found: [{ check: 'running balance', transfer: 'queued', message: /posting \d+ leaves/ }],
  },
  {
    name: 'a wallet that went below zero on the way',
    text: `
      update postings
      set amount_minor = 5, available_after_minor = 5
      where wallet_id = $1 and kind = 'fund'`,
    values: ofWallet,
    found: [
      { check: 'running balance', message: /sum to -10\.45 and 10\.50/ },
      { check: 'wallet balance', message: /available/ },
    ],
  },
  {
    name: 'a contra posting that takes back no funding',
    text: `
      with w as (
        update wallets set available_minor = available_minor - 1, posting_seq = posting_seq + 1
        where id = $1
        returning book_id, id, posting_seq, currency, available_minor, held_minor
      )
      insert into postings (
        book_id, wallet_id, seq, kind, from_account, to_account, amount_minor, currency,
        available_after_minor, held_after_minor, created_at
      )
      select book_id, id, posting_seq, 'fund_return', 'available', 'funding', 1, currency,
             available_minor, held_minor, now()
      from w`,
    values: ofWallet,
    found: [{ check: 'funding taken back', message: /posting \d+ takes back no funding/ }],
  },
  {
    name: 'a posting to the wrong account',
    text: `
      update postings set to_account = 'clearing:airtel-zm'
      where transfer_id = $1 and kind = 'settle'`,
    values: ofTransfer('succeeded'),
    found: [
      {
        check: 'posting accounts',
        transfer: 'succeeded',
        message: /a settle from held to clearing:airtel-zm, .* to clearing:mtn-zm/,
      },
    ],
  },
  {
    name: 'a fee that went to the merchant',
    text: `update postings set to_account = 'available' where transfer_id = $1 and kind = 'fee'`,
    values: ofTransfer('succeeded'),
    found: [
      { check: 'posting accounts', transfer: 'succeeded', message: /from held to fees/ },
      { check: 'running balance', transfer: 'succeeded', message: /leaves/ },
      { check: 'wallet balance', message: /available/ },
    ],
  },
  {
    name: 'a posting in another currency',
    text: `update postings set currency = 'NGN' where transfer_id = $1 and kind = 'hold'`,
    values: ofTransfer('queued'),
    found: [
      { check: 'posting wallet', transfer: 'queued', message: /in NGN, but the wallet in ZMW/ },
    ],
  },
  {
    name: 'postings of a wallet that does not exist',
    text: `
      insert into postings values (
        $1, $2, 1, 'fund', 'funding', 'available', 1, 'ZMW', null, 'ghost', 1, 0, now()
      )`,
    values: ({ bookId }) => [bookId, randomUUID()],
    found: [{ check: 'posting wallet', message: /posting 1 is of a wallet that does not exist/ }],
  },
  {
    name: 'a deleted transfer',
    text: 'delete from transfers where id = $1',
    values: ofTransfer('queued'),
    found: [
      { check: 'held for transfers', message: /need 42\.00/ },
      { check: 'posting transfer', transfer: 'queued', message: /does not exist/ },
    ],
  },
  {
    name: 'a deleted transfer that was settled',
    text: 'delete from transfers where id = $1',
    values: ofTransfer('succeeded'),
    found: [
      { check: 'posting transfer', transfer: 'succeeded', message: /does not exist/ },
      { check: 'posting transfer', transfer: 'succeeded', message: /does not exist/ },
      { check: 'posting transfer', transfer: 'succeeded', message: /does not exist/ },
    ],
  },
];

describe('verifying the postings', { concurrency: 4 }, () => itNames(DAMAGES));
