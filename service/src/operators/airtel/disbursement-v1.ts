import type { DisbursementShape } from './disbursement-shape.ts';

export const DISBURSEMENT_V1: DisbursementShape = {
  submitPath: '/standard/v1/disbursements/',
  signs: false,
  inquirePath: (id) => `/standard/v1/disbursements/${id}`,
  writeBody({ id, msisdn, amount, encryptedPin }) {
    const payee = JSON.stringify({ msisdn });
    const reference = JSON.stringify(id);
    const pin = JSON.stringify(encryptedPin);
    return (
      `{"payee":${payee},"reference":${reference},"pin":${pin},` +
      `"transaction":{"amount":${amount},"id":${reference}}}`
    );
  },
};
