import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import { Kafue } from '../../sdk/src/index.ts';
import { type Contract, openContract } from '../../service/test/contract/open-contract.ts';
import { createTestMerchant, type TestMerchant } from '../../service/test/test-merchant.ts';
import { readResult } from './read-result.ts';
import { runHere } from './run-here.ts';

export const WITH_REFERENCES = 'reference,amount,phone,narration';

/** A service for the tests of a file, and for each test a merchant and an empty folder to run `kafue pay` in. */
export function preparePay() {
  let contract: Contract;
  let merchant: TestMerchant;
  let folder: string;

  before(async () => {
    contract = await openContract();
  });
  beforeEach(async () => {
    merchant = await createTestMerchant(contract.database);
    folder = await mkdtemp(join(tmpdir(), 'kafue-cli-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  after(() => contract?.close());

  function environment() {
    return { KAFUE_API_KEY: merchant.keys.test, KAFUE_URL: contract.service.baseUrl };
  }

  return {
    here: () => {
      const { service, database } = contract;
      return { service, database, merchant, folder };
    },
    environment,
    openKafue: () => new Kafue({ apiKey: merchant.keys.test, baseUrl: contract.service.baseUrl }),
    pay: (args: readonly string[], env: Record<string, string> = environment()) =>
      runHere(['pay', ...args], { env, folder }),
    /** With a person at the terminal. */
    payAsked: (answer: string, args: readonly string[]) => {
      const unasked = args.filter((arg) => arg !== '--yes');
      return runHere(['pay', ...unasked], { env: environment(), folder, answer });
    },
    payArgs: (...more: readonly string[]): readonly string[] => {
      const from = ['--wallet', merchant.wallets.test.ZMW, '--country', 'zm', '--operator', 'mtn'];
      return ['payouts.csv', ...from, '--yes', ...more];
    },
    writePayouts: (lines: readonly string[], header = 'amount,phone,narration') =>
      writeFile(join(folder, 'payouts.csv'), [header, ...lines, ''].join('\n')),
    resultOf: () => readResult(join(folder, 'payouts.result.csv')),
    /** Every transfer of the merchant, straight from the database. */
    storedTransfers: () =>
      contract.database.query<{ reference: string; state: string; amount: bigint; phone: string }>(
        {
          name: '',
          text: `select reference, state, amount_minor as amount, phone
                 from transfers where book_id = $1`,
        },
        [merchant.books.test],
      ),
    /** The merchant's payout files. */
    storedFiles: () =>
      contract.database.query<{ id: string; state: string; content_hash: string }>(
        { name: '', text: 'select id, state, content_hash from payout_files where book_id = $1' },
        [merchant.books.test],
      ),
  };
}
