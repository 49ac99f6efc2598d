import type { Actor } from '../../domain/actor.ts';
import { findWalletCell } from '../../merchants/find-wallet-cell.ts';
import type { AdminWallet } from '../../merchants/find-wallet-for-staff.ts';
import { freezeWallet, unfreezeWallet } from '../../merchants/freeze-wallet.ts';
import { setLowBalance } from '../../merchants/set-low-balance.ts';
import { setWalletLimit } from '../../merchants/set-wallet-limit.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { AmountOrNullBody, StaffWallet } from '../schemas/staff-merchant-schema.ts';
import { OptionalReasonBody } from '../schemas/staff-transfer-schema.ts';
import type { StaffOperation } from '../server/api-operation.ts';
import { createStaffReader, type StaffReader } from './read-staff-body.ts';
import { renderStaffWallet } from './render-staff.ts';
import { inCell, type StaffDeps, type StaffDepsInCell } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

type Request = Readonly<{ actor: Actor; id: string; reason: string | null }>;
type Change = Readonly<{
  word: string;
  operationId: string;
  summary: string;
  description: string;
  message: string;
  body: typeof AmountOrNullBody | typeof OptionalReasonBody;
  /** Reads what the body has beside the reason, and says what to do in the cell of the wallet. */
  read(read: StaffReader): (deps: StaffDepsInCell, request: Request) => Promise<AdminWallet>;
}>;

/** The four things that the staff set of a wallet. */
export function walletOperations(deps: StaffDeps): readonly StaffOperation[] {
  return [
    changeOperation(deps, {
      word: 'freeze',
      operationId: 'freezeWallet',
      summary: 'Freeze a wallet',
      description:
        'New transfers from it are refused. Those accepted before go on; money can arrive.',
      message: 'Wallet frozen',
      body: OptionalReasonBody,
      read: () => freezeWallet,
    }),
    changeOperation(deps, {
      word: 'unfreeze',
      operationId: 'unfreezeWallet',
      summary: 'Unfreeze a wallet',
      description: 'It can be paid from again.',
      message: 'Wallet unfrozen',
      body: OptionalReasonBody,
      read: () => unfreezeWallet,
    }),
    changeOperation(deps, {
      word: 'limit',
      operationId: 'setWalletLimit',
      summary: 'Set what may be held of a wallet in one day',
      description: "By days of UTC, today's transfers included. Null lifts the limit.",
      message: 'Limit set',
      body: AmountOrNullBody,
      read(read) {
        const dailyLimitMinor = readAmount(read);
        return (inside, request) => setWalletLimit(inside, { ...request, dailyLimitMinor });
      },
    }),
    changeOperation(deps, {
      word: 'low-balance',
      operationId: 'setLowBalance',
      summary: 'Set the low-balance alert of a wallet',
      description:
        'The merchant gets an event when the wallet falls below this amount. With null it gets none.',
      message: 'Low-balance alert set',
      body: AmountOrNullBody,
      read(read) {
        const lowBalanceMinor = readAmount(read);
        return (inside, request) => setLowBalance(inside, { ...request, lowBalanceMinor });
      },
    }),
  ];
}

function readAmount(read: StaffReader): bigint | null {
  return read.checked({ amount: read.amountOrNull('amount') }).amount;
}

function changeOperation(
  deps: StaffDeps,
  { word, read, body: bodySchema, message, ...texts }: Change,
) {
  return staffOperation({
    method: 'POST',
    path: `/wallets/:id/${word}`,
    permission: 'merchants:write',
    ...texts,
    schema: {
      params: pathParameter('id', 'The id of the wallet.'),
      body: bodySchema,
      data: { 200: StaffWallet },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const fields = createStaffReader(body, Object.keys(bodySchema.properties));
      const given = fields.optionalStatement('reason');
      const change = read(fields);
      const { reason } = fields.checked({ reason: given });
      const id = params['id'] ?? '';
      const cell = await findWalletCell(deps, id);
      const wallet = await change(inCell(deps, cell), { actor, id, reason });
      return { status: 200, message, data: renderStaffWallet(wallet) };
    },
  });
}
