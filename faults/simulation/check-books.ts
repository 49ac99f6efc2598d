import type { StoredTransfer } from './database-model.ts';
import type { Report } from './finding.ts';
import type { BookEntry, OperatorModel } from './operator-model.ts';
import type { ScheduleContext } from './schedule-context.ts';

/** States in which a transfer must not be sent. */
const NOT_TO_BE_SENT: ReadonlySet<string> = new Set([
  'scheduled',
  'awaiting_approval',
  'queued',
  'failed',
  'cancelled',
  'reversed',
]);

/** Compares the operators' own books with ours, including what they will still execute. */
export function checkBooks(context: ScheduleContext, report: Report): void {
  checkSends(context, report);
  for (const operator of context.operators) checkArrivals(context, operator, report);
  for (const row of context.database.all()) checkTransfer(context, row, report);
}

function checkSends(context: ScheduleContext, report: Report): void {
  const { journal, database } = context;
  const routesByReference = new Map<string, string[]>();
  for (const { reference, route, owner, state } of journal.sends) {
    const id = database.findByOperatorReference(reference)?.transfer.id ?? null;
    if (id === null || state === undefined) {
      report('I6', id, `${owner} sent ${reference} to ${route}, but no stored transfer has it`);
    } else if (NOT_TO_BE_SENT.has(state)) {
      report('I5', id, `${owner} sent it to ${route} while it was ${state}`);
    }
    const routes = routesByReference.get(reference);
    if (routes === undefined) routesByReference.set(reference, [route]);
    else routes.push(route);
  }
  for (const [reference, routes] of routesByReference) {
    if (routes.length > 1) checkSentAgain(context, { reference, routes }, report);
  }
}

/** A second submission is allowed only to an operator that refuses duplicates. */
function checkSentAgain(
  { database, operators }: ScheduleContext,
  { reference, routes }: Readonly<{ reference: string; routes: readonly string[] }>,
  report: Report,
): void {
  const id = database.findByOperatorReference(reference)?.transfer.id ?? null;
  if (new Set(routes).size > 1) report('I5', id, `it was sent to ${routes.join(' and ')}`);
  for (const { plan } of operators) {
    const times = routes.filter((route) => route === plan.name).length;
    if (times < 2 || plan.abilities.deduplicates) continue;
    report('I21', id, `it was sent ${times} times to ${plan.name}, which pays each time`);
  }
}

function checkArrivals(
  { database }: ScheduleContext,
  operator: OperatorModel,
  report: Report,
): void {
  const { name } = operator.plan;
  for (const { reference } of operator.arrivals()) {
    const transfer = database.findByOperatorReference(reference)?.transfer;
    if (transfer === undefined || transfer.route === name) continue;
    report('I6', transfer.id, `${name} got it, but inquiries go to ${transfer.route}`);
  }
}

function checkTransfer({ operators }: ScheduleContext, row: StoredTransfer, report: Report): void {
  const { transfer } = row;
  const reference = transfer.operatorReference;
  const paid = operators.flatMap((operator) =>
    operator.book().filter((entry) => entry.reference === reference && entry.verdict === 'pays'),
  );
  if (paid.length > 1) report('I5', transfer.id, `it is paid ${paid.length} times`);
  // A false final answer cannot be detected, so the service is right to accept it.
  if (operators.some((operator) => operator.lies().has(reference))) return;
  if (transfer.state === 'failed' || transfer.state === 'cancelled') {
    if (paid.length > 0) report('I7', transfer.id, `it is ${transfer.state}, but was paid`);
  }
  if (transfer.state === 'succeeded' || transfer.state === 'reversed') {
    const [entry] = paid;
    if (entry === undefined)
      report('I7', transfer.id, `it is ${transfer.state}, but was never paid`);
    else checkPayment(entry, row, report);
  }
}

function checkPayment(entry: BookEntry, { transfer }: StoredTransfer, report: Report): void {
  if (entry.paidMinor !== transfer.amountMinor || entry.phone !== transfer.phone) {
    report('I6', transfer.id, `${entry.paidMinor} were paid to ${entry.phone}`);
  }
  if (transfer.state === 'reversed' && entry.returnedAtMs === Infinity) {
    report('I7', transfer.id, 'it is reversed, but the operator returned nothing');
  }
}
