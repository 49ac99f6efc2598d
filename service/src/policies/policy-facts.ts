import type { ActFacts } from '../acts/act.ts';
import type { Policy } from '../domain/policy/policy.ts';

/** What an act tells of a document: enough to know which one it was, and what it is about. */
export function draftFacts(contentHash: string, policy: Policy): ActFacts {
  return { contentHash, rules: policy.rules.map(({ name }) => name) };
}

export function versionFacts(version: number, contentHash: string, policy: Policy): ActFacts {
  return { version, ...draftFacts(contentHash, policy) };
}
