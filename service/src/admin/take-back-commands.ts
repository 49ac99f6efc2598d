import type { Command } from 'commander';
import { readStatement } from '../administrators/read-statement.ts';
import { formatMinor } from '../domain/money.ts';
import {
  keepFunding,
  type TakeBackResult,
  takeBackFunding,
} from '../merchants/take-back-funding.ts';
import { type AdminDeps, type Answer, addCommand, type Perform } from './add-command.ts';
import { requireAdministrator } from './authenticate-actor.ts';
import { formatFields, formatTime } from './format-table.ts';
import { inWalletCell } from './in-cell.ts';
import { asArgument } from './read-argument.ts';

const WALLET_ID = 'as shown by "wallets list"';
const EXAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const REFERENCE = 'the reference it was funded under';

/** `wallets take-back` and `wallets keep-funding`. */
export function addTakeBackCommands(group: Command, perform: Perform): void {
  addCommand(group, {
    name: 'take-back',
    description: 'Take back a wrong funding (two people)',
    examples: [
      `wallets take-back ${EXAMPLE_ID} --reference bank-2026-11-15-7 --reason "meant for another merchant, ticket 4711"`,
    ],
    notes: `Books a contra posting.
The first administrator proposes; another one who runs the same command carries it out. Each puts their own
key into ADMIN_KEY. A proposal ends after 24 hours. The whole funding is taken back, once, and never more
than the wallet has available.`,
  })
    .argument('<wallet-id>', WALLET_ID)
    .requiredOption('--reference <reference>', REFERENCE)
    .requiredOption('--reason <text>', 'what proves it', asArgument(readStatement))
    .action((walletId: string, options: { reference: string; reason: string }) =>
      perform((deps) =>
        takeBack(deps, {
          walletId,
          fundingReference: options.reference,
          reason: options.reason,
        }),
      ),
    );
  addCommand(group, {
    name: 'keep-funding',
    description: 'Withdraw a proposal to take back a funding',
    examples: [`wallets keep-funding ${EXAMPLE_ID} --reference bank-2026-11-15-7`],
    notes: 'Needs your key in ADMIN_KEY.',
  })
    .argument('<wallet-id>', WALLET_ID)
    .requiredOption('--reference <reference>', REFERENCE)
    .action((walletId: string, options: { reference: string }) =>
      perform((deps) => keep(deps, { walletId, fundingReference: options.reference })),
    );
}

async function takeBack(
  deps: AdminDeps,
  request: Readonly<{ walletId: string; fundingReference: string; reason: string }>,
): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const inside = await inWalletCell(deps, request.walletId);
  const taken = await takeBackFunding(inside, { actor, ...request });
  const { wallet, funding } = taken;
  return {
    json: {
      carriedOut: taken.kind === 'carriedOut',
      walletId: wallet.id,
      fundingReference: funding.fundingReference,
      amount: formatMinor(funding.amountMinor),
      currency: wallet.currency,
      available: formatMinor(wallet.availableMinor),
      fundedSequence: Number(funding.sequence),
      returnedSequence: taken.kind === 'carriedOut' ? Number(taken.returnedSequence) : null,
      proposedBy: taken.kind === 'carriedOut' ? taken.proposedBy : actor.name,
      confirmedBy: taken.kind === 'carriedOut' ? actor.name : null,
      expiresAt: taken.kind === 'carriedOut' ? null : taken.expiresAt,
    },
    text: describe(taken, actor.name),
  };
}

function describe(taken: TakeBackResult, name: string): string {
  const { wallet, funding } = taken;
  const amount = `${formatMinor(funding.amountMinor)} ${wallet.currency}`;
  const about: [string, string][] = [
    ['wallet', `${wallet.id}, ${wallet.merchant}, ${wallet.mode}`],
    ['funding', `${funding.fundingReference}, posting ${funding.sequence}`],
  ];
  if (taken.kind === 'proposed') {
    const fields = formatFields([
      ...about,
      ['proposed by', name],
      ['ends', formatTime(taken.expiresAt)],
    ]);
    return `Proposed: ${amount} are taken back. Nothing has changed yet.\n\n${fields}\n\nAnother administrator who finds the same runs the same command with their own key and reason.`;
  }
  const fields = formatFields([
    ...about,
    ['taken back by', `posting ${taken.returnedSequence}`],
    ['available', `${formatMinor(wallet.availableMinor)} ${wallet.currency}`],
    ['proposed by', taken.proposedBy],
    ['confirmed by', name],
  ]);
  return `Done: ${amount} were taken back.\n\n${fields}`;
}

async function keep(
  deps: AdminDeps,
  request: Readonly<{ walletId: string; fundingReference: string }>,
): Promise<Answer> {
  const actor = await requireAdministrator(deps);
  const inside = await inWalletCell(deps, request.walletId);
  const { wallet, proposedBy } = await keepFunding(inside, { actor, ...request });
  return {
    json: { walletId: wallet.id, fundingReference: request.fundingReference, proposedBy },
    text: `Withdrawn: ${proposedBy} had proposed to take this funding back. The wallet is as it was.`,
  };
}
