import type { Timeouts } from '../contract/connector-kind.ts';
import type { CallDeps } from './call.ts';
import type { DisbursementShape } from './disbursement-shape.ts';
import type { KeySource } from './public-key.ts';
import type { FilledSettings } from './settings.ts';

/** The parts of a connector; its calls take them as their first argument. */
export type AirtelParts = CallDeps &
  Readonly<{
    settings: FilledSettings;
    shape: DisbursementShape;
    publicKey: KeySource;
    /** Secrets of the requests under way, so that an answer that repeats one is recorded without it. */
    secretsUnderWay: Set<string>;
    timeouts: Timeouts;
    now: () => Date;
  }>;
