/** The condition of the whole operator, which overrides the behaviours of single payouts. */
export type OperatorCondition =
  | Readonly<{ kind: 'clear' }>
  /** Every request is answered 503. */
  | Readonly<{ kind: 'down' }>
  /** Every request is read and never answered. */
  | Readonly<{ kind: 'hang' }>
  | Readonly<{ kind: 'slow'; delayMs: number }>;

export const NORMAL_OPERATION: OperatorCondition = { kind: 'clear' };
