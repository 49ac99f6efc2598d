import { createHash } from 'node:crypto';
import type { Behaviour } from './behaviour.ts';
import { isPresetName, PRESETS, type PresetName } from './presets.ts';

export type Rule = Readonly<{
  /** Both members must match; an empty match fits every number. */
  match: Readonly<{ msisdn?: string; msisdnEndsIn?: string }>;
  /** Default `ok`. */
  preset?: PresetName;
  /** Its members override those of the preset. */
  behaviour?: Partial<Behaviour>;
  /** The rule applies to so many payouts; without it, to all. */
  times?: number;
}>;

export type Seed = Readonly<{ seed: number; mix: Readonly<Partial<Record<PresetName, number>>> }>;

type Choice = Readonly<{
  name: string;
  behaviour: Behaviour;
  source: 'rule' | 'seed' | 'default';
}>;

export type Chooser = Readonly<{
  /** Takes the first matching rule, else the seed's draw, else `ok`. Counts one payout of that number. */
  choose(msisdn: string): Choice;
  /** Replaces all rules. */
  setRules(rules: readonly Rule[]): void;
  /** Null: no seed. */
  setSeed(seed: Seed | null): void;
  /** Counts a payout of an earlier run, so that a seed continues its sequence. */
  countEarlier(msisdn: string): void;
}>;

export function createChooser(): Chooser {
  let rules: { rule: Rule; usesLeft: number }[] = [];
  let seed: Seed | null = null;
  const payoutsOf = new Map<string, number>();

  const count = (msisdn: string): number => {
    const before = payoutsOf.get(msisdn) ?? 0;
    payoutsOf.set(msisdn, before + 1);
    return before;
  };

  return {
    choose(msisdn) {
      const payoutsBefore = count(msisdn);
      const fitting = rules.find(({ rule, usesLeft }) => usesLeft > 0 && fits(rule, msisdn));
      if (fitting !== undefined) {
        fitting.usesLeft -= 1;
        return choiceOfRule(fitting.rule);
      }
      if (seed !== null) return drawChoice(seed, msisdn, payoutsBefore);
      return { name: 'ok', behaviour: PRESETS.ok, source: 'default' };
    },
    setRules(next) {
      rules = next.map((rule) => ({ rule, usesLeft: rule.times ?? Number.POSITIVE_INFINITY }));
    },
    setSeed(next) {
      if (next !== null && totalWeight(next) <= 0) throw new Error('the mix of a seed is empty');
      seed = next;
    },
    countEarlier: count,
  };
}

function fits({ match }: Rule, msisdn: string): boolean {
  if (match.msisdn !== undefined && match.msisdn !== msisdn) return false;
  return match.msisdnEndsIn === undefined || msisdn.endsWith(match.msisdnEndsIn);
}

function choiceOfRule({ preset = 'ok', behaviour }: Rule): Choice {
  if (behaviour === undefined) {
    return { name: preset, behaviour: PRESETS[preset], source: 'rule' };
  }
  return { name: 'custom', behaviour: { ...PRESETS[preset], ...behaviour }, source: 'rule' };
}

function totalWeight({ mix }: Seed): number {
  return Object.values(mix).reduce((total, weight) => total + weight, 0);
}

/** Depends only on its arguments, so the same seed repeats the same choices. */
function drawChoice(seed: Seed, msisdn: string, payoutsBefore: number): Choice {
  const digest = createHash('sha256').update(`${seed.seed}/${msisdn}/${payoutsBefore}`).digest();
  let left = (digest.readUIntBE(0, 6) / 2 ** 48) * totalWeight(seed);
  let drawn: PresetName = 'ok';
  // In the order of the presets, so that the order of the mix does not matter.
  for (const name of Object.keys(PRESETS).filter(isPresetName)) {
    const weight = seed.mix[name] ?? 0;
    if (weight <= 0) continue;
    drawn = name;
    left -= weight;
    if (left < 0) break;
  }
  return { name: drawn, behaviour: PRESETS[drawn], source: 'seed' };
}
