import type { CompiledPolicy } from '../domain/policy/compile-policy.ts';
import type { ListedNumbers } from '../lists/read-numbers.ts';

/** The policy and lists in force in a book at one version of its controls. It never changes. */
export type Controls = Readonly<{
  version: number;
  /** Null: the book has no policy. */
  policy: CompiledPolicy | null;
  policyVersion: number | null;
  listed: ListedNumbers;
  /** Whether an order alone is enough to decide about it. */
  isSimple: boolean;
}>;
