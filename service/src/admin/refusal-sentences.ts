import type { AdminRefusalCode, AdminRefusals } from '../domain/admin-refused.ts';

/** For each refusal: what is wrong, and what to do. */
export type Sentences = {
  readonly [Code in AdminRefusalCode]: (facts: AdminRefusals[Code]) => readonly [string, string];
};
