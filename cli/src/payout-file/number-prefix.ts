import type { Country } from '../../../sdk/src/index.ts';
import type { Payout } from './payout.ts';
import { nationalNumber } from './phone-shape.ts';

/**
 * Which operator a range of numbers was given to, without the 0 that is dialled before it. A number that
 * moved to another operator keeps its prefix, so this can warn and never refuse. Ranges that changed
 * hands, or whose owner is not certain, are left out.
 */
const OWNERS: Readonly<Record<Country, Readonly<Record<string, string>>>> = {
  zm: {
    airtel: '57 77 97',
    mtn: '56 76 96',
    zamtel: '55 75 95',
  },
  ng: {
    mtn: '703 706 803 806 810 813 814 816 903 906 913 916',
    airtel: '701 708 802 808 812 901 902 904 907 912',
    glo: '705 805 807 811 815 905 915',
    '9mobile': '809 817 818 908 909',
  },
};

/** What to check when the number's prefix was given to another operator than the line names. */
export function warnOfPrefix({ phone, country, operator }: Payout): string | undefined {
  const national = nationalNumber(phone, country) ?? '';
  const [owner] =
    Object.entries(OWNERS[country]).find(([, prefixes]) =>
      prefixes.split(' ').some((prefix) => national.startsWith(prefix)),
    ) ?? [];
  if (owner === undefined || owner === operator) return undefined;
  return `0${national} has a prefix of ${owner}, and the line says ${operator}. Right only if the number moved.`;
}
