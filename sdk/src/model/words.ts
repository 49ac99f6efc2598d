/** The words of the API. Each list is exact: the service refuses any other spelling. */

export const OPERATORS = ['airtel', 'mtn', 'zamtel', 'vodacom'] as const;
export type Operator = (typeof OPERATORS)[number];

export const COUNTRIES = ['zm', 'ng'] as const;
export type Country = (typeof COUNTRIES)[number];

/** Zambia pays in ZMW, Nigeria in NGN. */
export type Currency = 'ZMW' | 'NGN';

/** Which of the merchant's two books the API key opens. */
export type Mode = 'test' | 'live';

/** A point in time as the API writes it: `2026-11-15T08:00:00.000Z`. */
export type Timestamp = string;

/** A point in time as the SDK takes it. A text needs a zone, or is a date alone, midnight in UTC. */
export type TimeInput = Date | string;
