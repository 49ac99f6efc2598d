import { ownerOfPrefix } from '../../../service/src/domain/number-prefix.ts';
import type { Payout } from './payout.ts';
import { nationalNumber } from './phone-shape.ts';

/** What to check when the number's prefix was given to another operator than the line names. */
export function warnOfPrefix({ phone, country, operator }: Payout): string | undefined {
  const national = nationalNumber(phone, country) ?? '';
  const owner = ownerOfPrefix(national, country);
  if (owner === undefined || owner === operator) return undefined;
  return `0${national} has a prefix of ${owner}, and the line says ${operator}. Right only if the number moved.`;
}
