import { LEDGER_BUGS } from './ledger-bugs.ts';
import { OPERATOR_BUGS } from './operator-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [...OPERATOR_BUGS, ...LEDGER_BUGS];
