import type { Transfer } from '../../domain/transfer.ts';
import { renderTransfer } from '../../views/render-transfer.ts';

/** Renders what a refusal carries beside its error: for a duplicate, the existing transfer. */
export function renderRefusalData(data: Readonly<Record<string, unknown>>): object {
  const { transfer, ...others } = data;
  // Only decide-in-order.ts puts a transfer there.
  return transfer === undefined
    ? data
    : { transfer: renderTransfer(transfer as Transfer), ...others };
}
