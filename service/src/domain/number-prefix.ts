import { type Country, isOperator, type Operator } from './operator.ts';

/**
 * Which operator a range of numbers was given to, without the 0 that is dialled before it. A number that moved to
 * another operator keeps its prefix, so this can warn and never refuse. Ranges that changed hands, or whose owner is
 * not certain, are left out.
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

/** "+260" and "+234". */
const CALLING_CODE_LENGTH = 4;

/** The owner of a number's range, also one that cannot be paid through; `national` is the number without 0 or code. */
export function ownerOfPrefix(national: string, country: Country): string | undefined {
  const [owner] =
    Object.entries(OWNERS[country]).find(([, prefixes]) =>
      prefixes.split(' ').some((prefix) => national.startsWith(prefix)),
    ) ?? [];
  return owner;
}

/** The operator that the prefix of a number in E.164 was given to; null: not known, or none of ours. */
export function predictOperator(phone: string, country: Country): Operator | null {
  const owner = ownerOfPrefix(phone.slice(CALLING_CODE_LENGTH), country);
  return owner !== undefined && isOperator(owner) ? owner : null;
}
