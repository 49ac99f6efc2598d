import type { Country, Operator } from '../domain/operator.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A person or company that the demo merchant pays. */
export type Payee = Readonly<{
  /** As the merchant writes it. */
  name: string;
  /** As the operator has it; null: it gives none. */
  accountName: string | null;
  phone: string;
  operator: Operator;
  country: Country;
}>;

type Names = Readonly<{
  first: readonly [string, ...string[]];
  last: readonly [string, ...string[]];
}>;
type Network = Readonly<{ operator: Operator; prefix: string }>;

const NAMES: Readonly<Record<Country, Names>> = {
  zm: {
    first: [
      'Chanda',
      'Mutale',
      'Bwalya',
      'Natasha',
      'Thandiwe',
      'Joseph',
      'Grace',
      'Mwila',
      'Kabwe',
      'Precious',
      'Given',
      'Memory',
      'Lweendo',
      'Mubita',
      'Namukolo',
      'Moses',
      'Esther',
      'Kelvin',
    ],
    last: [
      'Banda',
      'Phiri',
      'Mwansa',
      'Tembo',
      'Zulu',
      'Mulenga',
      'Lungu',
      'Musonda',
      'Hamoonga',
      'Siame',
      'Kapata',
      'Nyambe',
      'Chileshe',
      'Moonga',
      'Sakala',
      'Ngoma',
    ],
  },
  ng: {
    first: [
      'Emeka',
      'Ngozi',
      'Tunde',
      'Aisha',
      'Chidinma',
      'Yusuf',
      'Folake',
      'Ifeanyi',
      'Halima',
      'Segun',
      'Zainab',
      'Obinna',
    ],
    last: [
      'Okafor',
      'Adeyemi',
      'Eze',
      'Bello',
      'Okonkwo',
      'Abubakar',
      'Balogun',
      'Nwosu',
      'Danjuma',
      'Ogunleye',
      'Ibrahim',
      'Uche',
    ],
  },
};

/** Repeated where more people use a network. */
const NETWORKS: Readonly<Record<Country, readonly [Network, ...Network[]]>> = {
  zm: [
    { operator: 'mtn', prefix: '+26096' },
    { operator: 'mtn', prefix: '+26076' },
    { operator: 'airtel', prefix: '+26097' },
    { operator: 'airtel', prefix: '+26077' },
    { operator: 'zamtel', prefix: '+26095' },
  ],
  ng: [
    { operator: 'mtn', prefix: '+234803' },
    { operator: 'mtn', prefix: '+234806' },
    { operator: 'airtel', prefix: '+234802' },
    { operator: 'airtel', prefix: '+234808' },
    { operator: 'vodacom', prefix: '+234709' },
  ],
};

/** Numbers that end in 900 or more may have a meaning in the sandbox. */
const SUFFIX_MAX = 899;
const SUFFIX_DIGITS = 3;
const MIDDLE_MAX = 9_999;
const MIDDLE_DIGITS = 4;

/** How often an operator has a longer name than the merchant, another one, or gives none. */
const SHARES = { longer: 0.12, other: 0.03, none: 0.04 } as const;

export function createPayees(
  random: SeededRandom,
  { country, count }: Readonly<{ country: Country; count: number }>,
): readonly Payee[] {
  return Array.from({ length: count }, (_, index) => createPayee(random, { country, index }));
}

function createPayee(
  random: SeededRandom,
  { country, index }: Readonly<{ country: Country; index: number }>,
): Payee {
  const networks = NETWORKS[country];
  // In turns, so that even a few payouts are to every network.
  const { operator, prefix } = networks[index % networks.length] ?? networks[0];
  const middle = random.whole({ min: 0, max: MIDDLE_MAX }).toString().padStart(MIDDLE_DIGITS, '0');
  const suffix = random.whole({ min: 0, max: SUFFIX_MAX }).toString().padStart(SUFFIX_DIGITS, '0');
  const name = drawName(random, country);
  const accountName = drawAccountName(random, { name, country });
  return { name, accountName, phone: `${prefix}${middle}${suffix}`, operator, country };
}

function drawName(random: SeededRandom, country: Country): string {
  return `${random.pick(NAMES[country].first)} ${random.pick(NAMES[country].last)}`;
}

function drawAccountName(
  random: SeededRandom,
  { name, country }: Readonly<{ name: string; country: Country }>,
): string | null {
  if (random.chance(SHARES.none)) return null;
  if (random.chance(SHARES.other)) return drawName(random, country);
  if (random.chance(SHARES.longer)) return `${random.pick(NAMES[country].first)} ${name}`;
  return name;
}

/** The same payee at a number that makes the sandbox tell the same story when it is asked again. */
export function withSuffix(payee: Payee, suffix: string): Payee {
  return { ...payee, phone: `${payee.phone.slice(0, -SUFFIX_DIGITS)}${suffix}` };
}
