import { findWalletCell } from '../../merchants/find-wallet-cell.ts';
import { fundByReference, readFundingReference } from '../../merchants/fund-by-reference.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { Funded, FundingBody } from '../schemas/staff-funding-schema.ts';
import { createStaffReader } from './read-staff-body.ts';
import { renderStaffWallet } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export function fundWalletOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/wallets/:id/fund',
    operationId: 'fundWallet',
    permission: 'wallets:fund',
    stepUp: true,
    summary: 'Credit a wallet with money that arrived',
    description:
      'Once for each reference: the same call again books nothing and says so. After the funding was taken back it is ' +
      'refused: use another reference.',
    schema: {
      params: pathParameter('id', 'The id of the wallet.'),
      body: FundingBody,
      data: { 200: Funded },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(FundingBody.properties));
      const { amountMinor, fundingReference } = read.checked({
        amountMinor: read.amount('amount'),
        fundingReference: read.text('reference', readFundingReference),
      });
      const walletId = params['id'] ?? '';
      const request = { actor, walletId, amountMinor, fundingReference };
      const cell = await findWalletCell(deps, walletId);
      const { wallet, already } = await fundByReference(inCell(deps, cell), request);
      return {
        status: 200,
        message: already ? 'This funding was booked before' : 'Wallet funded',
        data: { wallet: renderStaffWallet(wallet), already },
      };
    },
  });
}
