/** How the whole operator is, whatever single payouts are told to do. */
export type OperatorCondition =
  | Readonly<{ kind: 'clear' }>
  /** Every request is answered 503. */
  | Readonly<{ kind: 'down' }>
  /** Every request is read and never answered. */
  | Readonly<{ kind: 'hang' }>
  | Readonly<{ kind: 'slow'; delayMs: number }>;

export const CLEAR: OperatorCondition = { kind: 'clear' };
