import type { LoadPlan, Workload } from './load-plan.ts';
import { ReadRequest } from './read-request.ts';
import { BulkRequest, type RepeatedRequest, TransferRequest } from './transfer-request.ts';

/** The requests of one connection. */
export function assignRequests(
  { workload, connections }: Pick<LoadPlan, 'workload' | 'connections'>,
  index: number,
): RepeatedRequest[] {
  if (workload.kind === 'lookups') {
    return [new ReadRequest(deal(workload.lookups, connections, index))];
  }
  const targets = deal(workload.targets, connections, index);
  return targets.map((target) => toRequest(workload, target));
}

function toRequest(
  workload: Exclude<Workload, { kind: 'lookups' }>,
  target: (typeof workload.targets)[number],
): RepeatedRequest {
  return workload.kind === 'transfers'
    ? new TransferRequest(target, workload.phone)
    : new BulkRequest(target, workload.phone, workload.transfersPerCall);
}

/** Every connection's own part; if there are too few items, several get the same. */
function deal<T>(items: readonly T[], connections: number, index: number): readonly T[] {
  if (items.length < connections) {
    const at = index % items.length;
    return items.slice(at, at + 1);
  }
  return items.filter((_, item) => item % connections === index % connections);
}
