import { formatMinor } from '../../domain/money.ts';
import { maskPhoneForStaff } from '../../domain/phone-number.ts';
import type { Merchant } from '../../merchants/find-merchant.ts';
import type { AdminWallet } from '../../merchants/find-wallet-for-staff.ts';
import { formatPercent } from '../../merchants/read-fee.ts';
import type { Proposal } from '../../resolutions/proposal.ts';
import type { FoundTransfer } from '../../transfers/read/find-any-transfer.ts';
import type { OwnedTransfer } from '../../transfers/read/list-all-transfers.ts';
import { renderTransfer } from '../../views/render-transfer.ts';
import type { FailingEndpoint } from '../../webhooks/list-failing-endpoints.ts';

export function renderStaffTransfer({ transfer, merchant }: OwnedTransfer) {
  const { bookId, route, operatorReference } = transfer;
  return {
    ...renderTransfer(transfer),
    phone: maskPhoneForStaff(transfer.phone),
    merchant,
    bookId,
    route,
    operatorReference,
  };
}

export function renderFound({ transfer, merchantId, merchant }: FoundTransfer) {
  return renderStaffTransfer({ transfer, merchant: { id: merchantId, name: merchant } });
}

export function renderProposal(proposal: Proposal) {
  const { id, decision, receipt, evidence, proposedBy, proposedAt, expiresAt, end } = proposal;
  return {
    id,
    decision,
    receipt,
    evidence,
    by: proposedBy,
    at: proposedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    end:
      end === null
        ? null
        : { at: end.at.toISOString(), as: end.as, by: end.by, evidence: end.secondEvidence },
  };
}

export function renderMerchant({ id, name, createdAt, suspendedAt, books }: Merchant) {
  const modes = ['test', 'live'] as const;
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    suspendedAt: suspendedAt?.toISOString() ?? null,
    books: modes.map((mode) => {
      const { fixedMinor, basisPoints } = books[mode].feeTerms;
      const fees = { fixed: formatMinor(fixedMinor), percent: formatPercent(basisPoints) };
      return { id: books[mode].id, mode, fees };
    }),
  };
}

export function renderStaffWallet(wallet: AdminWallet) {
  const { id, bookId, merchantId, merchant, mode, currency, name, status } = wallet;
  const decimal = (minor: bigint | null) => (minor === null ? null : formatMinor(minor));
  return {
    id,
    bookId,
    merchant: { id: merchantId, name: merchant },
    mode,
    currency,
    name,
    status,
    available: formatMinor(wallet.availableMinor),
    held: formatMinor(wallet.heldMinor),
    dailyLimit: decimal(wallet.dailyLimitMinor),
    lowBalance: decimal(wallet.lowBalanceMinor),
    createdAt: wallet.createdAt.toISOString(),
  };
}

export function renderFailing({
  id,
  merchantId,
  merchant,
  failingSince,
  ...rest
}: FailingEndpoint) {
  return {
    ...rest,
    endpointId: id,
    merchant: { id: merchantId, name: merchant },
    failingSince: failingSince?.toISOString() ?? null,
  };
}
