import type { Behaviour } from '../kernel/behaviour.ts';
import type { NamedBehaviour } from '../kernel/operator-backend.ts';
import { PRESETS } from '../kernel/presets.ts';
import type { FinalCode } from './failure-codes.ts';

/** What pawaPay's sandbox does with a payout to a certain number. */
type SandboxEnd = 'COMPLETED' | 'STUCK' | FinalCode;

type Row = readonly [provider: string, ends: Readonly<Record<string, SandboxEnd>>];

const ROWS: readonly Row[] = [
  [
    'AIRTEL_OAPI_ZMB',
    {
      '260973456789': 'COMPLETED',
      '260973456089': 'RECIPIENT_NOT_FOUND',
      '260973456119': 'UNSPECIFIED_FAILURE',
      '260973456129': 'STUCK',
    },
  ],
  [
    'MTN_MOMO_ZMB',
    {
      '260763456789': 'COMPLETED',
      '260763456079': 'RECIPIENT_NOT_FOUND',
      '260763456119': 'UNSPECIFIED_FAILURE',
      '260763456129': 'STUCK',
    },
  ],
  [
    // The ending that succeeds with all other providers is the stuck one with Zamtel.
    'ZAMTEL_ZMB',
    {
      '260953456700': 'COMPLETED',
      '260953456712': 'UNSPECIFIED_FAILURE',
      '260953456789': 'STUCK',
    },
  ],
  [
    // 234 903 is MTN's in the real numbering plan.
    'AIRTEL_NGA',
    {
      '2349034567899': 'COMPLETED',
      '2349034567089': 'RECIPIENT_NOT_FOUND',
      '2349034567119': 'UNSPECIFIED_FAILURE',
      '2349034567129': 'STUCK',
    },
  ],
  [
    'MTN_MOMO_NGA',
    {
      '2348134567899': 'COMPLETED',
      '2348134567089': 'RECIPIENT_NOT_FOUND',
      '2348134567099': 'WALLET_LIMIT_REACHED',
      '2348134567119': 'UNSPECIFIED_FAILURE',
      '2348134567129': 'STUCK',
    },
  ],
];

const SANDBOX_NUMBERS: ReadonlyMap<
  string,
  Readonly<{ provider: string; end: SandboxEnd }>
> = new Map(
  ROWS.flatMap(([provider, ends]) =>
    Object.entries(ends).map(([number, end]) => [number, { provider, end }] as const),
  ),
);

export function findSandboxNumber(
  phoneNumber: string,
): Readonly<{ provider: string; end: SandboxEnd }> | undefined {
  return SANDBOX_NUMBERS.get(phoneNumber);
}

/** What the sandbox does with a payout to this number; undefined for an ordinary number. */
export function steerBySandbox(
  payout: Readonly<{ phoneNumber: string; provider: string }>,
): NamedBehaviour | undefined {
  const number = findSandboxNumber(payout.phoneNumber);
  if (number?.provider !== payout.provider) return undefined;
  return { name: `sandbox ${number.end}`, behaviour: behaviourOf(number.end) };
}

function behaviourOf(end: SandboxEnd): Behaviour {
  if (end === 'COMPLETED') return PRESETS.ok;
  if (end !== 'STUCK') return endWith(end);
  const { pendingMs } = PRESETS['pending-for-ever'];
  return { ...endWith('UNSPECIFIED_FAILURE'), pendingMs };
}

/** Accepted, and failed later. */
export function endWith(code: FinalCode): Behaviour {
  return { ...PRESETS.ok, execute: 'never', refusal: `FAILED:${code}` };
}
