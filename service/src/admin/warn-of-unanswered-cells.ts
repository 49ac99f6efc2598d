import type { AdminDeps } from './add-command.ts';

/** Tells who took a role away of the cells in which the proposals of the person were not withdrawn. */
export function warnOfUnansweredCells<Deps extends AdminDeps>(deps: Deps) {
  const warn = ({ cell }: { cell?: unknown }) =>
    deps.warn(
      `WARNING: the cell ${String(cell)} did not answer. What the person proposed there can no longer be confirmed, and is withdrawn by the next who decides about it.`,
    );
  return { ...deps, logger: { warn } };
}
