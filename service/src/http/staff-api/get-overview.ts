import { mergeCells } from '../../cells/merge-cells.ts';
import { queryCells } from '../../cells/query-cells.ts';
import { formatMinor } from '../../domain/money.ts';
import { listFloats } from '../../floats/list-floats.ts';
import { listOpenProposals, type WaitingProposal } from '../../resolutions/list-open-proposals.ts';
import {
  countUnfinished,
  type UnfinishedTransfers,
} from '../../transfers/read/count-unfinished.ts';
import { countOpenIncidents } from '../../transfers/read/list-incidents.ts';
import { type DayFigures, readDayFigures } from '../../transfers/read/read-day-figures.ts';
import { StaffOverview } from '../schemas/staff-overview-schema.ts';
import { readFailing } from './failing-webhooks.ts';
import type { RouteDescriber } from './list-routes.ts';
import { renderFailing } from './render-staff.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const DAYS_SHOWN = 14;
const PROPOSALS_LISTED_MAX = 100;
const DAY_MS = 24 * 3_600_000;
/** How long the figures of a day that is not over are used. */
const TODAY_AGE_MAX_MS = 30_000;

export function getOverviewOperation(
  deps: Pick<StaffDeps, 'directory' | 'cells' | 'routes' | 'now' | 'monotonicMs'>,
  describeRoutes: RouteDescriber,
) {
  const readDays = createDayReader(deps);
  return staffOperation({
    method: 'GET',
    path: '/overview',
    operationId: 'getStaffOverview',
    permission: 'operations:read',
    readsPage: true,
    summary: 'Get how everything is',
    description: 'Doubts, queues, incidents, webhooks, routes, the last 14 days, and what waits.',
    schema: { data: { 200: StaffOverview } },
    async handle() {
      const { cells, now } = deps;
      const at = now();
      const counted = await queryCells(cells.list(), async ({ database }) => ({
        unfinished: await countUnfinished(database),
        incidents: await countOpenIncidents(database, { mode: 'live' }),
      }));
      const unfinished = counted.answers.map(({ answer }) => answer.unfinished);
      const open = counted.answers.map(({ answer }) => answer.incidents).reduce(add, 0);
      const { items: failing, more, ...listed } = await readFailing(deps);
      const waiting = await mergeCells(cells, {
        limit: PROPOSALS_LISTED_MAX,
        read: (database, max) => listOpenProposals(database, { now: at, max }),
        compare: (a, b) => a.expiresAt.getTime() - b.expiresAt.getTime(),
      });
      const { items: routes, ...described } = await describeRoutes();
      const { days, ...read } = await readDays(at);
      const silent = [
        counted.unanswered,
        ...[listed, waiting, described, read].map(cellsOf),
      ].flat();
      const doubts = describeDoubts(unfinished, at);
      const work = [
        { kind: 'doubts', count: doubts.needPerson },
        { kind: 'incidents', count: open },
        { kind: 'webhooks', count: failing.filter(({ mode }) => mode === 'live').length },
        { kind: 'floats', count: await countLow(deps) },
        {
          kind: 'routes',
          count: routes.filter(({ state }) => state !== 'open').length,
        },
      ];
      return {
        status: 200,
        message: 'Overview read',
        data: {
          asOf: at.toISOString(),
          doubts,
          queues: describeQueues(unfinished, at),
          incidents: { open },
          webhooks: { failing: failing.map(renderFailing), more },
          routes,
          days,
          work: work.filter(({ count }) => count > 0),
          proposals: { items: waiting.items.map(renderWaiting), more: waiting.more },
          unansweredCells: [...new Set(silent)].sort(),
        },
      };
    },
  });
}

function renderWaiting({ merchantId, merchant, amountMinor, expiresAt, ...rest }: WaitingProposal) {
  return {
    ...rest,
    merchant: { id: merchantId, name: merchant },
    amount: formatMinor(amountMinor),
    expiresAt: expiresAt.toISOString(),
  };
}

/** Floats of routes of this process that are low or out. */
async function countLow({ directory, routes }: Pick<StaffDeps, 'directory' | 'routes'>) {
  const floats = await listFloats(directory);
  return floats.filter(
    ({ route, level }) => routes.named(route) !== undefined && (level === 'low' || level === 'out'),
  ).length;
}

const add = (a: number, b: number) => a + b;

const cellsOf = ({ unansweredCells }: Readonly<{ unansweredCells: readonly string[] }>) =>
  unansweredCells;

function describeDoubts(parts: readonly UnfinishedTransfers[], at: Date) {
  const live = parts.flatMap(({ doubts }) => doubts).filter(({ mode }) => mode === 'live');
  const ages = parts
    .flatMap(({ states }) => states)
    .filter(({ mode, state }) => mode === 'live' && state === 'in_doubt')
    .map(({ ageSeconds }) => ageSeconds);
  return {
    count: live.map(({ count }) => count).reduce(add, 0),
    oldestAt: ages.length === 0 ? null : timeBefore(at, Math.max(...ages)),
    needPerson: live
      .filter(({ needsPerson }) => needsPerson)
      .map(({ count }) => count)
      .reduce(add, 0),
  };
}

function describeQueues(parts: readonly UnfinishedTransfers[], at: Date) {
  const byName = Map.groupBy(
    parts.flatMap(({ states }) => states),
    ({ mode, state }) => `${mode} ${state}`,
  );
  return [...byName.values()].map((same) => ({
    state: same[0]?.state ?? '',
    mode: same[0]?.mode ?? 'live',
    count: same.map(({ count }) => count).reduce(add, 0),
    oldestAt: timeBefore(at, Math.max(...same.map(({ ageSeconds }) => ageSeconds))),
  }));
}

function timeBefore(at: Date, seconds: number): string {
  return new Date(at.getTime() - seconds * 1_000).toISOString();
}

type DayList = Readonly<{
  days: readonly DayFigures[];
  unansweredCells: readonly string[];
}>;
type Cached = Readonly<{ figures: DayFigures; readAtMs: number; isOver: boolean }>;

/** A day that is over is read once, the present one again and again; the days before are forgotten. */
function createDayReader({ cells, monotonicMs }: Pick<StaffDeps, 'cells' | 'monotonicMs'>) {
  let known = new Map<string, Cached>();
  return async (at: Date): Promise<DayList> => {
    const silent = new Set<string>();
    const days = Array.from({ length: DAYS_SHOWN }, (_, index) =>
      dayOf(new Date(at.getTime() - (DAYS_SHOWN - 1 - index) * DAY_MS)),
    );
    const today = dayOf(at);
    const kept = new Map<string, Cached>();
    for (const day of days) {
      const cached = known.get(day);
      const isFresh =
        cached !== undefined &&
        (cached.isOver || monotonicMs() - cached.readAtMs < TODAY_AGE_MAX_MS);
      if (isFresh) kept.set(day, cached);
      else {
        const { figures, unanswered } = await readDay(cells, day);
        for (const name of unanswered) silent.add(name);
        // A sum without a cell is not kept.
        const isOver = day < today && unanswered.length === 0;
        kept.set(day, { figures, readAtMs: monotonicMs(), isOver });
      }
    }
    known = kept;
    const shown = [...kept.values()].map(({ figures }) => figures);
    return { days: shown, unansweredCells: [...silent] };
  };
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

async function readDay(cells: StaffDeps['cells'], day: string) {
  const { answers, unanswered } = await queryCells(cells.list(), ({ database }) =>
    readDayFigures(database, day),
  );
  const parts = answers.map(({ answer }) => answer);
  return { figures: addDays(parts, day), unanswered };
}

function addDays(parts: readonly DayFigures[], day: string): DayFigures {
  // Medians of several databases cannot be merged exactly: the one with the most payouts speaks.
  const [most] = parts.toSorted((a, b) => b.paid - a.paid);
  const sum = (pick: (part: DayFigures) => number) => parts.map(pick).reduce(add, 0);
  return {
    day,
    paid: sum(({ paid }) => paid),
    failed: sum(({ failed }) => failed),
    doubtsOpened: sum(({ doubtsOpened }) => doubtsOpened),
    doubtsEnded: sum(({ doubtsEnded }) => doubtsEnded),
    medianMs: most?.medianMs ?? null,
    p99Ms: most?.p99Ms ?? null,
    isPartial: parts.some(({ isPartial }) => isPartial),
  };
}
