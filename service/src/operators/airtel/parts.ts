import type { Timeouts } from '../contract/connector-kind.ts';
import type { CallDeps } from './call.ts';
import type { DisbursementShape } from './disbursement-shape.ts';
import type { KeySource } from './public-key.ts';
import type { FilledSettings } from './settings.ts';

/** What a connector is made of; its calls take these as their first argument. */
export type AirtelParts = CallDeps &
  Readonly<{
    settings: FilledSettings;
    shape: DisbursementShape;
    publicKey: KeySource;
    /** What is secret in the requests under way, so that no answer that repeats it is kept. */
    secretsUnderWay: Set<string>;
    timeouts: Timeouts;
    now: () => Date;
  }>;
