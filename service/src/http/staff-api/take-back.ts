import { mergeCells } from '../../cells/merge-cells.ts';
import { formatMinor } from '../../domain/money.ts';
import { findWalletCell } from '../../merchants/find-wallet-cell.ts';
import { readFundingReference } from '../../merchants/fund-by-reference.ts';
import { type ListedTakeBack, listTakeBacks } from '../../merchants/list-take-backs.ts';
import { takeBackFunding } from '../../merchants/take-back-funding.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { TakeBackBody, TakeBackList, TakenBack } from '../schemas/staff-funding-schema.ts';
import { createStaffReader } from './read-staff-body.ts';
import { renderStaffWallet } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const TAKE_BACKS_LISTED_MAX = 500;

export function takeBackFundingOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/wallets/:id/take-back',
    operationId: 'takeBackFunding',
    permission: 'wallets:fund',
    stepUp: true,
    summary: 'Take back a funding that was booked wrongly',
    description:
      'The first person proposes; another one who says the same carries it out. Never more than is available.',
    schema: {
      params: pathParameter('id', 'The id of the wallet.'),
      body: TakeBackBody,
      data: { 200: TakenBack },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(TakeBackBody.properties));
      const given = read.checked({
        fundingReference: read.text('fundingReference', readFundingReference),
        reason: read.statement('reason'),
        seen: read.seen(),
      });
      const walletId = params['id'] ?? '';
      const cell = await findWalletCell(deps, walletId);
      const taken = await takeBackFunding(inCell(deps, cell), { actor, walletId, ...given });
      const isDone = taken.kind === 'carriedOut';
      return {
        status: 200,
        message: isDone ? 'Taken back' : 'Proposed. Another person who finds the same confirms it',
        data: {
          result: isDone ? 'confirmed' : 'proposed',
          wallet: renderStaffWallet(taken.wallet),
          fundingReference: taken.funding.fundingReference,
          amount: formatMinor(taken.funding.amountMinor),
          proposedBy: isDone ? taken.proposedBy : actor.name,
          confirmedBy: isDone ? actor.name : null,
          expiresAt: isDone ? null : taken.expiresAt.toISOString(),
        },
      };
    },
  });
}

export function listTakeBacksOperation({ cells }: Pick<StaffDeps, 'cells'>) {
  return staffOperation({
    method: 'GET',
    path: '/take-backs',
    operationId: 'listTakeBacks',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List proposals to take fundings back',
    description: 'The newest first, with what became of each.',
    schema: { data: { 200: TakeBackList } },
    async handle() {
      const { items, ...page } = await mergeCells(cells, {
        limit: TAKE_BACKS_LISTED_MAX,
        read: (database, max) => listTakeBacks(database, { max }),
        compare: (a, b) => b.proposedAt.getTime() - a.proposedAt.getTime(),
      });
      const data = { items: items.map(renderTakeBack), ...page };
      return { status: 200, message: 'Take-backs listed', data };
    },
  });
}

function renderTakeBack({ merchantId, merchant, amountMinor, end, ...rest }: ListedTakeBack) {
  return {
    ...rest,
    merchant: { id: merchantId, name: merchant },
    amount: formatMinor(amountMinor),
    proposedAt: rest.proposedAt.toISOString(),
    expiresAt: rest.expiresAt.toISOString(),
    end: end === null ? null : { ...end, at: end.at.toISOString() },
  };
}
