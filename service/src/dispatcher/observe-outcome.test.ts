import assert from 'node:assert/strict';
import { it } from 'node:test';
import { prepareTransfer } from '../../test/stored-transfer.ts';
import type { LogFields, Logger } from '../telemetry/logger.ts';
import { acceptTransfer } from '../transfers/accept/prepared-transfer.ts';
import type { Recorded } from '../transfers/move/record-outcome.ts';
import { observeOutcome } from './observe-outcome.ts';

const FREE = { fixedMinor: 0n, basisPoints: 0 };
const BOOK = {
  id: 'book',
  merchantId: 'merchant',
  mode: 'live',
  feeTerms: FREE,
  isSuspended: false,
  controlsVersion: null,
} as const;

it('logs why a transfer is in doubt', () => {
  const lines: (readonly [level: string, fields: LogFields])[] = [];
  const write = (level: string) => (fields: LogFields) => void lines.push([level, fields]);
  const logger: Logger = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    writesDebug: true,
    flush: () => undefined,
  };
  const metrics = { countOutcome: () => undefined, countUnexpectedOutcome: () => undefined };
  const observe = observeOutcome({ metrics, logger });
  const prepared = prepareTransfer(BOOK, { walletId: 'wallet' });
  const { transfer } = acceptTransfer(prepared, new Date());
  const outcome = { kind: 'unknown', cause: 'reset' } as const;
  const inDoubt = { kind: 'recorded', to: 'in_doubt', cause: 'reset' } as const;
  const doubts: readonly Recorded[] = [
    { ...inDoubt, doubt: 'SUBMISSION_LOST', needsPerson: false },
    { ...inDoubt, doubt: 'INQUIRY_IMPOSSIBLE', needsPerson: true },
    { kind: 'recorded', to: 'succeeded', cause: 'paid', doubt: null, needsPerson: false },
  ];
  for (const recorded of doubts) observe({ transfer, outcome, recorded });
  assert.deepEqual(
    lines.map(([level, { doubt }]) => [level, doubt]),
    [
      ['warn', 'SUBMISSION_LOST'],
      ['error', 'INQUIRY_IMPOSSIBLE'],
      ['debug', undefined],
    ],
  );
});
