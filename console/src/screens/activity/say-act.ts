import type { Act, ActFacts } from '../../api/team-types.ts';
import { activity as texts } from '../../texts/en/activity.ts';

/** `WALLET_FUNDED` becomes "funded a wallet"; a kind without words of its own is put into lower case. */
export function sayKind(kind: string): string {
  return texts.kinds[kind] ?? kind.toLowerCase().replaceAll('_', ' ');
}

/** `dailyLimit` becomes "daily limit". */
function sayFact(name: string): string {
  return texts.facts[name] ?? name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

export type FactRow = Readonly<{
  name: string;
  before: unknown;
  after: unknown;
  isChanged: boolean;
}>;

/** The facts of before and after, side by side. What did not change stays: it says what the thing is. */
export function factRows({ before, after }: Pick<Act, 'before' | 'after'>): readonly FactRow[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names.map((name) => {
    const [was, is] = [valueOf(before, name), valueOf(after, name)];
    return {
      name: sayFact(name),
      before: was,
      after: is,
      isChanged: JSON.stringify(was) !== JSON.stringify(is),
    };
  });
}

function valueOf(facts: ActFacts | null, name: string): unknown {
  return facts?.[name] ?? null;
}

/** The name of the subject for people: its name, address or e-mail; undefined: it has none. */
export function nameOfSubject({
  before,
  after,
}: Pick<Act, 'before' | 'after'>): string | undefined {
  const facts = { ...before, ...after };
  const known = [facts['name'], facts['email'], facts['url'], facts['reference']];
  return known.find((value) => typeof value === 'string');
}
