import type { CheckedRow } from '../../domain/payout-file/check-row.ts';

/** What a check read from a row, as the statements that store rows take it from JSON. */
export function checkedColumns(checked: CheckedRow) {
  return {
    phone: checked.phone,
    operator: checked.operator,
    operator_predicted: checked.operatorPredicted,
    country: checked.country,
    currency: checked.currency,
    amount_minor: checked.amountMinor?.toString() ?? null,
    fee_minor: checked.feeMinor?.toString() ?? null,
    recipient_name: checked.recipientName,
    narration: checked.narration,
    given_reference: checked.givenReference,
  };
}
