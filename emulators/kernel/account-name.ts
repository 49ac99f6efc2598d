import { createHash } from 'node:crypto';

export type AccountName = Readonly<{ given: string; family: string }>;

const NO_ACCOUNT_SUFFIX = '901';
/** Only national digits count, so a number has the same name with and without its country code. */
const DIGITS_THAT_COUNT = 9;
const GIVEN_NAMES = [
  'Amina',
  'Bwalya',
  'Chanda',
  'Chinedu',
  'Emeka',
  'Grace',
  'Ifeoma',
  'Joseph',
  'Kondwani',
  'Lubinda',
  'Mutale',
  'Ngozi',
  'Peter',
  'Ruth',
  'Thandiwe',
  'Yusuf',
] as const;
const FAMILY_NAMES = [
  'Adeyemi',
  'Banda',
  'Bello',
  'Chilufya',
  'Eze',
  'Kapwepwe',
  'Lungu',
  'Mulenga',
  'Mwale',
  'Nwosu',
  'Okafor',
  'Phiri',
  'Sakala',
  'Tembo',
  'Zimba',
  'Zulu',
] as const;

/** Every number has an account with a fixed name, except numbers that end in 901. */
export function accountName(msisdn: string): AccountName | null {
  if (msisdn.endsWith(NO_ACCOUNT_SUFFIX)) return null;
  const digest = createHash('sha256').update(msisdn.slice(-DIGITS_THAT_COUNT)).digest();
  return {
    given: pick(GIVEN_NAMES, digest.readUInt16BE(0)),
    family: pick(FAMILY_NAMES, digest.readUInt16BE(2)),
  };
}

function pick(names: readonly [string, ...string[]], number: number): string {
  return names[number % names.length] ?? names[0];
}
