import type { Operator } from '../../domain/operator.ts';
import type { Mode } from '../../domain/transfer.ts';

/** Whose trouble is listed; null: any. */
export type TroubleFilter = Readonly<{
  mode: Mode | null;
  merchantId: string | null;
  operator: Operator | null;
}>;
