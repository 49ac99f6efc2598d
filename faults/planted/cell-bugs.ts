import { about, type PlantedBug } from './planted-bug.ts';

const LIMITS = 'service/src/operators/limits/slots.ts';
const KEEPER = 'service/src/compose/cell-keeper.ts';
const ONE_SERVICE = {
  database: 'shared',
  services: 1,
  secondAccount: false,
  operators: ['mtn'],
  mix: { ok: 1 },
} as const;
/** Nothing else breaks: the second server is away alone at the end. */
const SIZE = about(ONE_SERVICE, { clientsMin: 2, clientsMax: 2, ordersPerClient: 4 });

const SUBMITS =
  "          heard = await submit(deps, { transfer, route, purpose: 'submit', mayStillSend });\n";
const RECORD_BEFORE_RELEASE = {
  file: 'service/src/dispatcher/dispatcher.ts',
  old: SUBMITS,
  new: `${SUBMITS}          if (heard !== undefined) await persist(deps, heard);\n          heard = undefined;\n`,
};

/** Bugs by which a server of some cells that is away is felt by the others. */
export const CELL_BUGS: readonly PlantedBug[] = [
  {
    name: 'a cell that does not answer is the end of all',
    edits: [
      {
        file: KEEPER,
        old: '    if (entry?.cell === undefined || !isUsable(entry)) throw refuseCell();',
        new: '    if (entry?.cell === undefined || this.down().length > 0) throw refuseCell();',
      },
    ],
    breaks: ['I36'],
    size: SIZE,
    cells: 3,
  },
  {
    name: 'slots stay with what a cell cannot store or record',
    edits: [
      {
        file: LIMITS,
        old: '    if (lateOf.size < 2) return;',
        new: '    if (lateOf.size >= 0) return;',
      },
      RECORD_BEFORE_RELEASE,
    ],
    breaks: ['I36'],
    size: SIZE,
    cells: 3,
  },
  {
    name: 'an answer that is not recorded keeps its slot',
    edits: [RECORD_BEFORE_RELEASE],
    test: 'service/src/dispatcher/dispatcher.test.ts',
  },
  {
    name: 'a callback waits for every cell',
    edits: [
      {
        file: 'service/src/transfers/callbacks/find-callback-cell.ts',
        old: '      if (await isOfCell(cell.database)) resolve(cell);',
        new: '      if (await isOfCell(cell.database)) setTimeout(resolve, 1_400, cell);\n      await new Promise((next) => setTimeout(next, 1_450));',
      },
    ],
    test: 'service/src/transfers/callbacks/find-callback-cell.test.ts',
  },
];
