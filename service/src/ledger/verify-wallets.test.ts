import { describe } from 'node:test';
import { type Damage, itNames, ofWallet } from '../../test/plant-damage.ts';

const DAMAGES: readonly Damage[] = [
  {
    name: 'money that appeared in a wallet',
    text: 'update wallets set available_minor = available_minor + 1 where id = $1',
    values: ofWallet,
    found: [{ check: 'wallet balance', message: /available 9\d\d\.\d1, but .* 9\d\d\.\d0/ }],
  },
  {
    name: 'a hold that shrank',
    text: 'update wallets set held_minor = held_minor - 5 where id = $1',
    values: ofWallet,
    found: [
      { check: 'held for transfers', message: /holds 52\.45, .* need 52\.50/ },
      { check: 'wallet balance', message: /held 52\.45, .* 52\.50/ },
    ],
  },
  {
    name: 'a posting number that ran ahead',
    text: 'update wallets set posting_seq = posting_seq + 1 where id = $1',
    values: ofWallet,
    found: [{ check: 'last posting', message: /last posting is number \d+, but it is number \d+/ }],
  },
];

describe('verifying the wallets', { concurrency: 4 }, () => itNames(DAMAGES));
