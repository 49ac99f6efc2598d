const FIRST_NAMES = [
  'Chanda',
  'Mutale',
  'Natasha',
  'Joseph',
  'Thandiwe',
  'Bwalya',
  'Grace',
  'Emeka',
  'Ngozi',
  'Tunde',
] as const;
const LAST_NAMES = [
  'Banda',
  'Phiri',
  'Mwansa',
  'Tembo',
  'Zulu',
  'Mulenga',
  'Lungu',
  'Okafor',
  'Adeyemi',
  'Eze',
] as const;

/** The same number always has the same holder. */
export function sandboxAccountName(phone: string): string {
  const first = FIRST_NAMES[Number(phone.at(-4) ?? '0')] ?? FIRST_NAMES[0];
  const last = LAST_NAMES[Number(phone.at(-5) ?? '0')] ?? LAST_NAMES[0];
  return `${first} ${last}`;
}
