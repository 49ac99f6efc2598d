import type { Command } from 'commander';
import { mergeLists } from '../cells/merge-lists.ts';
import { type Currency, formatMinor } from '../domain/money.ts';
import type { Mode } from '../domain/transfer.ts';
import { createWallet } from '../merchants/create-wallet.ts';
import { type AdminWallet, findWalletForStaff } from '../merchants/find-wallet-for-staff.ts';
import { freezeWallet, unfreezeWallet } from '../merchants/freeze-wallet.ts';
import { type FundingRequest, fundByReference } from '../merchants/fund-by-reference.ts';
import { listWalletsForStaff } from '../merchants/list-wallets-for-staff.ts';
import { setLowBalance } from '../merchants/set-low-balance.ts';
import { setWalletLimit } from '../merchants/set-wallet-limit.ts';
import {
  type AdminDeps,
  type Answer,
  addCommand,
  addGroup,
  CALL,
  type Perform,
} from './add-command.ts';
import { authenticateActor } from './authenticate-actor.ts';
import { formatFields, formatTable } from './format-table.ts';
import { inMerchantCell, inWalletCell, readMerchantId, withUnanswered } from './in-cell.ts';
import { readAmount, readCurrency, readLimit, readMode } from './read-argument.ts';
import { addTakeBackCommands } from './take-back-commands.ts';

const WALLET_ID = 'as shown by "wallets list"';
const EXAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';

type CreateOptions = Readonly<{ merchant: string; mode: Mode; currency: Currency; name?: string }>;

export function addWalletCommands(program: Command, perform: Perform): void {
  const group = addGroup(program, {
    name: 'wallets',
    description: 'Create, fund, freeze and limit wallets',
  });
  addCreateAndList(group, perform);
  addFund(group, perform);
  addTakeBackCommands(group, perform);
  addCommand(group, {
    name: 'freeze',
    description: 'Stop new transfers from a wallet',
    examples: [`wallets freeze ${EXAMPLE_ID}`],
    notes: 'Transfers accepted before go on; money can still arrive.',
  })
    .argument('<wallet-id>', WALLET_ID)
    .action((id: string) =>
      perform(async (deps) => {
        const actor = await authenticateActor(deps);
        return answer(
          'Wallet frozen.',
          await freezeWallet(await inWalletCell(deps, id), { actor, id }),
        );
      }),
    );
  addCommand(group, {
    name: 'unfreeze',
    description: 'Let a frozen wallet pay again',
    examples: [`wallets unfreeze ${EXAMPLE_ID}`],
  })
    .argument('<wallet-id>', WALLET_ID)
    .action((id: string) =>
      perform(async (deps) => {
        const actor = await authenticateActor(deps);
        return answer(
          'Wallet active.',
          await unfreezeWallet(await inWalletCell(deps, id), { actor, id }),
        );
      }),
    );
  addCommand(group, {
    name: 'limit',
    description: 'Limit what a wallet pays per day (UTC)',
    examples: [`wallets limit ${EXAMPLE_ID} 50000`, `wallets limit ${EXAMPLE_ID} none`],
    notes: 'Fees count. "none" removes the limit.',
  })
    .argument('<wallet-id>', WALLET_ID)
    .argument('<amount>', 'an amount like 50000.00, or none', readLimit)
    .action((id: string, dailyLimitMinor: bigint | null) =>
      perform(async (deps) => {
        const actor = await authenticateActor(deps);
        const inside = await inWalletCell(deps, id);
        return answer('Limit set.', await setWalletLimit(inside, { actor, id, dailyLimitMinor }));
      }),
    );
  addCommand(group, {
    name: 'low-balance',
    description: 'Set when to send wallet.low_balance',
    examples: [`wallets low-balance ${EXAMPLE_ID} 1000`, `wallets low-balance ${EXAMPLE_ID} none`],
    notes: 'The merchant gets this event when the wallet falls below the amount. "none" stops it.',
  })
    .argument('<wallet-id>', WALLET_ID)
    .argument('<amount>', 'an amount like 1000.00, or none', readLimit)
    .action((id: string, lowBalanceMinor: bigint | null) =>
      perform(async (deps) => {
        const actor = await authenticateActor(deps);
        const inside = await inWalletCell(deps, id);
        return answer(
          'Low-balance alert set.',
          await setLowBalance(inside, { actor, id, lowBalanceMinor }),
        );
      }),
    );
}

function addCreateAndList(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'create',
    description: 'Create an empty wallet',
    examples: [
      'wallets create --merchant Demo --mode test --currency ZMW',
      'wallets create --merchant "Zambezi Tours" --mode live --currency NGN --name Lagos',
    ],
  })
    .requiredOption('--merchant <name-or-id>', 'whose wallet')
    .requiredOption('--mode <mode>', 'in which book: test or live', readMode)
    .requiredOption('--currency <currency>', 'ZMW or NGN', readCurrency)
    .option('--name <name>', 'what people call it; its currency when none is given')
    .action((options: CreateOptions) => perform((deps) => create(deps, options)));
  addCommand(group, {
    name: 'list',
    description: 'List wallets, of one merchant or of all',
    examples: ['wallets list', 'wallets list --merchant Demo --json'],
  })
    .option('--merchant <name-or-id>', 'whose wallets')
    .action((options: { merchant?: string }) => perform((deps) => list(deps, options.merchant)));
}

function addFund(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'fund',
    description: 'Credit a wallet with money that arrived',
    examples: [`wallets fund ${EXAMPLE_ID} 25000.00 --reference bank-2026-11-15-7`],
    notes:
      'The reference is unique in the book: the same command twice funds once, so repeat it when in doubt.',
  })
    .argument('<wallet-id>', WALLET_ID)
    .argument('<amount>', 'an amount like 25000.00', readAmount)
    .requiredOption('--reference <reference>', 'what proves it, such as a bank statement line')
    .action((walletId: string, amountMinor: bigint, options: { reference: string }) =>
      perform((deps) => fund(deps, { walletId, amountMinor, fundingReference: options.reference })),
    );
}

async function create(deps: AdminDeps, options: CreateOptions): Promise<Answer> {
  const { inside, place } = await inMerchantCell(deps, options.merchant);
  const { mode, currency, name } = options;
  const created = await createWallet(inside, {
    actor: await authenticateActor(deps),
    bookId: place.books[mode],
    currency,
    name: name ?? currency,
  });
  return answer('Wallet created.', await findWalletForStaff(inside.database, created.id));
}

async function list(deps: AdminDeps, nameOrId: string | undefined): Promise<Answer> {
  const merchantId = await readMerchantId(deps, nameOrId);
  const found = await mergeLists(deps.cells, {
    read: async (database) => {
      const { wallets: items, more } = await listWalletsForStaff(database, { merchantId });
      return { items, more };
    },
    compare: (a, b) => a.merchant.toLowerCase().localeCompare(b.merchant.toLowerCase()),
  });
  const { items: wallets, more, unansweredCells } = found;
  const json = { wallets: wallets.map(toJson), more, unansweredCells };
  if (wallets.length === 0) {
    const example = `${CALL} wallets create --merchant NAME --mode test --currency ZMW`;
    const text = `There are no wallets. Create one: ${example}`;
    return { json, text: withUnanswered(text, unansweredCells) };
  }
  const table = formatTable(
    [
      { title: 'merchant' },
      { title: 'mode' },
      { title: 'id' },
      { title: 'name' },
      { title: 'currency' },
      { title: 'available', align: 'right' },
      { title: 'held', align: 'right' },
      { title: 'daily limit', align: 'right' },
      { title: 'status' },
    ],
    wallets.map((wallet) => [
      wallet.merchant,
      wallet.mode,
      wallet.id,
      wallet.name,
      wallet.currency,
      formatMinor(wallet.availableMinor),
      formatMinor(wallet.heldMinor),
      formatLimit(wallet.dailyLimitMinor),
      wallet.status,
    ]),
  );
  const text = more ? `${table}\n… and more, which are not listed.` : table;
  return { json, text: withUnanswered(text, unansweredCells) };
}

async function fund(deps: AdminDeps, request: Omit<FundingRequest, 'actor'>): Promise<Answer> {
  const actor = await authenticateActor(deps);
  const inside = await inWalletCell(deps, request.walletId);
  const { wallet, already } = await fundByReference(inside, { actor, ...request });
  const title = already
    ? 'This funding was booked before. Nothing was booked now.'
    : `Funded with ${formatMinor(request.amountMinor)} ${wallet.currency}.`;
  const { json, text } = answer(title, wallet);
  return { json: { ...json, already }, text };
}

function answer(title: string, wallet: AdminWallet): Answer {
  const fields = formatFields([
    ['id', wallet.id],
    ['merchant', wallet.merchant],
    ['mode', wallet.mode],
    ['name', wallet.name],
    ['available', `${formatMinor(wallet.availableMinor)} ${wallet.currency}`],
    ['held', `${formatMinor(wallet.heldMinor)} ${wallet.currency}`],
    ['daily limit', formatLimit(wallet.dailyLimitMinor)],
    ['low below', formatLimit(wallet.lowBalanceMinor)],
    ['status', wallet.status],
  ]);
  return { json: { wallet: toJson(wallet) }, text: `${title}\n\n${fields}` };
}

function formatLimit(limitMinor: bigint | null): string {
  return limitMinor === null ? 'none' : formatMinor(limitMinor);
}

function toJson(wallet: AdminWallet) {
  const { id, merchant, mode, currency, name, status, createdAt } = wallet;
  const { dailyLimitMinor, lowBalanceMinor } = wallet;
  return {
    id,
    merchant,
    mode,
    currency,
    name,
    status,
    available: formatMinor(wallet.availableMinor),
    held: formatMinor(wallet.heldMinor),
    dailyLimit: dailyLimitMinor === null ? null : formatMinor(dailyLimitMinor),
    lowBalance: lowBalanceMinor === null ? null : formatMinor(lowBalanceMinor),
    createdAt,
  };
}
