import type { DisbursementShape } from './disbursement-shape.ts';

export const DISBURSEMENT_V2: DisbursementShape = {
  submitPath: '/standard/v2/disbursements/',
  signs: true,
  inquirePath: (id, { orderType }) =>
    `/standard/v2/disbursements/${id}?transactionType=${orderType}`,
  writeBody({ id, msisdn, amount, currency, encryptedPin }, { orderType, payeeName }) {
    const payee = JSON.stringify({ msisdn, name: payeeName, currency });
    const reference = JSON.stringify(id);
    const pin = JSON.stringify(encryptedPin);
    return (
      `{"payee":${payee},"reference":${reference},"pin":${pin},` +
      `"transaction":{"amount":${amount},"id":${reference},"type":"${orderType}"}}`
    );
  },
};
