import type { LowFloat } from '../../domain/float.ts';

/** How the float of a route is read, and when it is low. */
export type FloatRule = Readonly<{ readEveryMs: number; low: LowFloat }>;
