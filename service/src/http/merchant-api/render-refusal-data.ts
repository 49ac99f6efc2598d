import type { Transfer } from '../../domain/transfer.ts';
import { renderTransfer } from '../../views/render-transfer.ts';

/** What a refusal carries beside its error: a duplicate's transfer, as merchants see it. */
export function renderRefusalData(data: Readonly<Record<string, unknown>>): object {
  const { transfer, ...others } = data;
  // Only decide-in-order.ts puts a transfer there.
  return transfer === undefined
    ? data
    : { transfer: renderTransfer(transfer as Transfer), ...others };
}
