import type { Dossier } from '../../api/staff-types.ts';
import { formatSums } from '../../format/format-amount.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { doubt } from '../../texts/en/doubt.ts';

const texts = doubt.contradicted;

/** The fields that the operator reported differently, beside the values that were sent. Undefined: none. */
export function sayContradictions({ transfer, evidence }: Dossier): string | undefined {
  const { contradictions } = evidence;
  if (contradictions.length === 0) return undefined;
  return texts.rest(contradictions.map((subject) => sayDifference(subject, transfer)));
}

function sayDifference(subject: string, transfer: Dossier['transfer']): string {
  const { amount, currency, phone, operatorReference } = transfer;
  switch (subject) {
    case 'amount':
      return texts.amount(formatSums([{ currency, sum: amount }]));
    case 'currency':
      return texts.currency(currency);
    case 'number':
      return texts.number(formatPhone(phone));
    case 'reference':
      return texts.reference(operatorReference);
    default:
      return texts.other(subject);
  }
}
