import { CELL_BUGS } from './cell-bugs.ts';
import { CONTROL_BUGS } from './control-bugs.ts';
import { LEDGER_BUGS } from './ledger-bugs.ts';
import { OPERATOR_BUGS } from './operator-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';
import { SCENARIO_BUGS } from './scenario-bugs.ts';
import { TESTED_BUGS } from './tested-bugs.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...OPERATOR_BUGS,
  ...LEDGER_BUGS,
  ...SCENARIO_BUGS,
  ...CONTROL_BUGS,
  ...CELL_BUGS,
  ...TESTED_BUGS,
];
