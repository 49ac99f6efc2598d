import type { DisbursementShape } from './disbursement-shape.ts';

export const DISBURSEMENT_V3: DisbursementShape = {
  // v3 has no slash at the end, unlike the versions before.
  submitPath: '/standard/v3/disbursements',
  signs: true,
  inquirePath: (id, { orderType }) =>
    `/standard/v3/disbursements/${id}?transactionType=${orderType}`,
  writeBody({ id, msisdn, amount, encryptedPin }, { orderType, walletType }) {
    const payee = JSON.stringify({ msisdn, wallet_type: walletType });
    const reference = JSON.stringify(id);
    const pin = JSON.stringify(encryptedPin);
    return (
      `{"payee":${payee},"reference":${reference},"pin":${pin},` +
      `"transaction":{"amount":${amount},"id":${reference},"type":"${orderType}"}}`
    );
  },
};
