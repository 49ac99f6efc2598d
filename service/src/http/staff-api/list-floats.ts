import { AdminRefused } from '../../domain/admin-refused.ts';
import { CURRENCIES, formatMinor } from '../../domain/money.ts';
import { type Country, currencyOf, OPERATOR_PAIRS, type Operator } from '../../domain/operator.ts';
import { explainFloat, floatSeen, readFloatChange } from '../../floats/explain-float.ts';
import { listFloats, type RouteFloat } from '../../floats/list-floats.ts';
import type { Route, Routes } from '../../operators/routes/route.ts';
import { FloatChangeBody, FloatList, StaffFloat } from '../schemas/float-schema.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { createStaffReader } from './read-staff-body.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

type FloatDeps = Pick<StaffDeps, 'directory' | 'routes' | 'now'>;

export function listFloatsOperation(deps: FloatDeps) {
  return staffOperation({
    method: 'GET',
    path: '/floats',
    operationId: 'listFloats',
    permission: 'operations:read',
    readsPage: true,
    summary: 'List the floats of routes',
    description:
      'What our accounts with operators hold, by our own books and as operators say, and how long it lasts.',
    schema: { data: { 200: FloatList } },
    async handle() {
      const floats = await listFloats(deps.directory);
      const items = listPaying(deps.routes).map((paying) =>
        renderFloat(paying, findFloat(floats, paying), floats),
      );
      return {
        status: 200,
        message: 'Floats listed',
        data: { asOf: deps.now().toISOString(), items },
      };
    },
  });
}

export function explainFloatOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/floats/:route/explain',
    operationId: 'explainFloat',
    permission: 'floats:write',
    stepUp: true,
    summary: 'Explain a difference of a float',
    description:
      'Tells our own books of a top-up, or of what the operator charged. No wallet changes.',
    schema: {
      params: pathParameter('route', 'The name of the route.'),
      body: FloatChangeBody,
      data: { 200: StaffFloat },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(FloatChangeBody.properties));
      const { currency, amountMinor, reason, seen } = read.checked({
        currency: read.word('currency', CURRENCIES),
        amountMinor: read.text('amount', readFloatChange),
        reason: read.statement('reason'),
        seen: read.seen(),
      });
      const name = params['route'] ?? '';
      const paying = listPaying(deps.routes).find(
        (one) => one.route.name === name && currencyOf(one.country) === currency,
      );
      if (paying === undefined) throw new AdminRefused('FLOAT_NOT_FOUND', {});
      const request = { actor, route: name, currency, amountMinor, reason, seen };
      const float = await explainFloat(deps, request);
      const floats = await listFloats(deps.directory);
      return {
        status: 200,
        message: 'Difference explained',
        data: renderFloat(paying, float, floats),
      };
    },
  });
}

type Paying = Readonly<{ route: Route; operator: Operator; country: Country }>;

/** The live routes of this process, with what they pay. */
function listPaying(routes: Routes): readonly Paying[] {
  return OPERATOR_PAIRS.flatMap(({ operator, country }) =>
    routes
      .list({ mode: 'live', operator, country })
      .filter(({ float }) => float !== null)
      .map((route) => ({ route, operator, country })),
  );
}

function findFloat(
  floats: readonly RouteFloat[],
  { route, country }: Paying,
): RouteFloat | undefined {
  const currency = currencyOf(country);
  return floats.find((float) => float.route === route.name && float.currency === currency);
}

const amountOrNull = (minor: bigint | null): string | null =>
  minor === null ? null : formatMinor(minor);

/** The balance of a new route was not fetched yet. */
function renderFloat(
  { route, operator, country }: Paying,
  float: RouteFloat | undefined,
  all: readonly RouteFloat[],
) {
  const low = route.float?.low ?? { belowMinor: null, hours: 0 };
  return {
    route: route.name,
    connector: route.family,
    operator,
    country,
    currency: currencyOf(country),
    level: float?.level ?? 'unknown',
    reportsBalance: route.connector.abilities.reportsBalance,
    ours: amountOrNull(float?.oursMinor ?? null),
    operators: amountOrNull(float?.operatorMinor ?? null),
    difference: amountOrNull(float?.differenceMinor ?? null),
    readAt: float?.readAt?.toISOString() ?? null,
    ageMs: float?.ageMs ?? null,
    countedSince: float?.openedAt?.toISOString() ?? null,
    error: float?.error ?? null,
    failingSince: float?.failingSince?.toISOString() ?? null,
    underWay: formatMinor(float?.underWayMinor ?? 0n),
    queued: formatMinor(float?.queuedMinor ?? 0n),
    spendable: amountOrNull(float?.spendableMinor ?? null),
    paidInDay: formatMinor(float?.paidDayMinor ?? 0n),
    hoursLeft: float?.hoursLeft ?? null,
    sharedWith: all
      .filter((other) => other.account !== null && other.account === float?.account)
      .filter((other) => other.currency === float?.currency && other.route !== route.name)
      .map((other) => other.route),
    lowBelow: amountOrNull(low.belowMinor),
    lowHours: low.hours,
    seen: float === undefined ? null : floatSeen(float),
  };
}
