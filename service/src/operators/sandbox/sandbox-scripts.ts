import type { FailureCode } from '../../domain/outcome.ts';

/** What the sandbox does with a number. */
export type SandboxScript =
  | Readonly<{ kind: 'pays'; nameless?: true }>
  | Readonly<{ kind: 'rejects'; failure: FailureCode }>
  | Readonly<{ kind: 'doubtful'; ends: 'paid' | 'failed' | 'never' }>
  | Readonly<{ kind: 'pays then returns' }>
  | Readonly<{ kind: 'slow' }>
  | Readonly<{ kind: 'closed' }>;

const SUFFIX_DIGITS = 3;

const SCRIPTS: Readonly<Record<string, SandboxScript>> = {
  '901': { kind: 'rejects', failure: 'RECIPIENT_NOT_FOUND' },
  '902': { kind: 'rejects', failure: 'RECIPIENT_LIMIT_REACHED' },
  '903': { kind: 'rejects', failure: 'OPERATOR_REJECTED' },
  '911': { kind: 'doubtful', ends: 'paid' },
  '912': { kind: 'doubtful', ends: 'failed' },
  '913': { kind: 'doubtful', ends: 'never' },
  '921': { kind: 'pays then returns' },
  '931': { kind: 'slow' },
  '941': { kind: 'closed' },
  '951': { kind: 'pays', nameless: true },
};

const PAYS: SandboxScript = { kind: 'pays' };

/** The last three digits of the number decide. */
export function scriptOf(phone: string): SandboxScript {
  return SCRIPTS[phone.slice(-SUFFIX_DIGITS)] ?? PAYS;
}
