import { randomUUID } from 'node:crypto';
import { describe } from 'node:test';
import { type Damage, itNames, ofTransfer } from '../../test/plant-damage.ts';

const DAMAGES: readonly Damage[] = [
  {
    name: 'a transfer that names another wallet',
    text: 'update transfers set wallet_id = $2 where id = $1',
    values: ({ transferIds, otherWalletId }) => [transferIds.queued, otherWalletId],
    found: [
      { check: 'held for transfers', message: /holds 52\.50/ },
      { check: 'held for transfers', wallet: 'otherWalletId', message: /holds 0\.00, .* 10\.50/ },
      { check: 'posting transfer', transfer: 'queued', message: /of wallet/ },
    ],
  },
  {
    name: 'a transfer whose wallet is in another currency',
    text: `update transfers set currency = 'NGN' where id = $1`,
    values: ofTransfer('queued'),
    found: [{ check: 'transfer wallet', transfer: 'queued', message: /in NGN, .* in ZMW/ }],
  },
  {
    name: 'a transfer of another book',
    text: 'update transfers set wallet_id = $2 where id = $1',
    values: ({ transferIds }) => [transferIds.cancelled, randomUUID()],
    found: [
      { check: 'posting transfer', transfer: 'cancelled', message: /of wallet/ },
      { check: 'posting transfer', transfer: 'cancelled', message: /of wallet/ },
      { check: 'transfer wallet', transfer: 'cancelled', message: /not in its book/ },
    ],
  },
  {
    name: 'a transfer without its hold',
    text: `
      insert into transfers (
        book_id, id, wallet_id, reference, state, amount_minor, fee_minor, currency, phone,
        operator, country, operator_reference, event_seq, created_at, updated_at
      )
      select book_id, $2, wallet_id, 'ghost', state, amount_minor, fee_minor, currency, phone,
             operator, country, $2, 1, created_at, updated_at
      from transfers where id = $1`,
    values: ({ transferIds }) => [transferIds.queued, randomUUID()],
    found: [
      { check: 'event numbers', message: /has events 1 to 1, but there are 0/ },
      { check: 'held for transfers', message: /need 63\.00/ },
      { check: 'transfer postings', message: /is queued, which takes hold 10\.50, but has none/ },
      { check: 'transfer state', message: /is queued, but its last event says nothing/ },
    ],
  },
  {
    name: 'a hold that was released while in doubt',
    text: `
      with p as (
        insert into postings
        select book_id, wallet_id, w.posting_seq + 1, 'release', 'held', 'available', 1050, 'ZMW',
               t.id, null, w.available_minor + 1050, w.held_minor - 1050, now()
        from transfers t join wallets w using (book_id)
        where t.id = $1 and w.id = t.wallet_id
      )
      update wallets w
      set posting_seq = posting_seq + 1, available_minor = available_minor + 1050,
          held_minor = held_minor - 1050
      from transfers t where t.id = $1 and w.id = t.wallet_id`,
    values: ofTransfer('in_doubt'),
    found: [
      { check: 'held for transfers', message: /holds 42\.00, .* need 52\.50/ },
      {
        check: 'transfer postings',
        transfer: 'in_doubt',
        message: /is in_doubt, which takes hold 10\.50, but has hold 10\.50, release 10\.50$/,
      },
    ],
  },
  {
    name: 'a transfer that was called paid without postings',
    text: `update transfers set state = 'succeeded', completed_at = now() where id = $1`,
    values: ofTransfer('submitted'),
    found: [
      { check: 'held for transfers', message: /need 42\.00/ },
      {
        check: 'transfer postings',
        transfer: 'submitted',
        message: /takes hold 10\.50, settle 10\.00, fee 0\.50, but has hold 10\.50$/,
      },
      { check: 'transfer state', transfer: 'submitted', message: /last event says submitted/ },
    ],
  },
  {
    name: 'a reversal that was forgotten',
    text: `update transfers set state = 'succeeded' where id = $1`,
    values: ofTransfer('reversed'),
    found: [
      {
        check: 'transfer postings',
        transfer: 'reversed',
        message: /takes hold .*, fee 0\.50, but has hold .*, reverse 10\.00, fee_return 0\.50$/,
      },
      { check: 'transfer state', transfer: 'reversed', message: /says reversed/ },
    ],
  },
  {
    name: 'a deleted event',
    text: 'delete from events where subject_id = $1 and seq = 2',
    values: ofTransfer('succeeded'),
    found: [
      { check: 'event numbers', transfer: 'succeeded', message: /1 to 5, but there are 4/ },
      { check: 'event states', transfer: 'succeeded', message: /event 3 .* after submitting/ },
    ],
  },
  {
    name: 'a missing last event',
    text: 'delete from events where subject_id = $1 and seq = 2',
    values: ofTransfer('cancelled'),
    found: [
      { check: 'event numbers', transfer: 'cancelled', message: /1 to 2, .* numbered 1 to 1/ },
      { check: 'transfer state', transfer: 'cancelled', message: /last event says queued/ },
    ],
  },
  {
    name: 'a step that is not allowed',
    text: `
      with e as (update events set to_state = 'cancelled' where subject_id = $1 and seq = 2)
      update events set from_state = 'cancelled' where subject_id = $1 and seq = 3`,
    values: ofTransfer('succeeded'),
    found: [
      { check: 'event states', transfer: 'succeeded', message: /2 goes from submitting to canc/ },
      { check: 'event states', transfer: 'succeeded', message: /3 goes from cancelled to in_d/ },
    ],
  },
  {
    name: 'a transfer that began finished',
    text: `update events set to_state = 'in_doubt' where subject_id = $1 and seq = 1`,
    values: ofTransfer('queued'),
    found: [
      { check: 'event states', transfer: 'queued', message: /from nothing to in_doubt/ },
      { check: 'transfer state', transfer: 'queued', message: /last event says in_doubt/ },
    ],
  },
];

describe('verifying the transfers', { concurrency: 4 }, () => itNames(DAMAGES));
