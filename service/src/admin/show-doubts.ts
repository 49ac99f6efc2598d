import { mergeLists } from '../cells/merge-lists.ts';
import { harmless } from '../domain/harmless-text.ts';
import { formatMinor } from '../domain/money.ts';
import { type Doubt, type DoubtFilter, listInDoubt } from '../resolutions/list-in-doubt.ts';
import { type AdminDeps, type Answer, CALL } from './add-command.ts';
import { formatTable, formatTime } from './format-table.ts';
import { withUnanswered } from './in-cell.ts';
import { describeTroubleFilter } from './read-trouble-filter.ts';
import { withRouteRules } from './with-route-rules.ts';

const TITLES = [
  'since',
  'transfer',
  'merchant',
  'amount',
  'operator',
  'route',
  'kind',
  'asked',
  'last answer',
  'next',
  'do',
] as const;

/** Lists transfers in doubt: why, what was asked, what happens next, and whether a person is needed. */
export async function showDoubts(deps: AdminDeps, filter: DoubtFilter): Promise<Answer> {
  const now = deps.now();
  const found = await withRouteRules(deps, (rulesOf) =>
    mergeLists(deps.cells, {
      read: async (database) => {
        const { doubts, more } = await listInDoubt(database, { now, filter, rulesOf });
        return { items: doubts, more };
      },
      compare: (a, b) => a.since.getTime() - b.since.getTime(),
    }),
  );
  const { items: doubts, more, unansweredCells } = found;
  const json = { transfers: doubts.map(toJson), more, unansweredCells };
  if (doubts.length === 0) {
    return { json, text: withUnanswered(describeNone(filter), unansweredCells) };
  }
  const columns = TITLES.map((title) => ({ title }));
  const table = formatTable(columns, doubts.map(toCells));
  const rest = more ? '\n… and more, which are not listed.' : '';
  const help = `Look at one: ${CALL} transfers show TRANSFER\nEach kind: docs/runbooks/doubts.md`;
  return { json, text: withUnanswered(`${table}${rest}\n\n${help}`, unansweredCells) };
}

function describeNone(filter: DoubtFilter): string {
  const all = filter.kind === null && !filter.needsPerson;
  const what = all ? 'Nothing is in doubt' : 'Nothing of this is in doubt';
  return `${what} ${describeTroubleFilter(filter)}`;
}

function toCells({ transfer, merchant, since, outlook, asked, proposal }: Doubt): string[] {
  const { next, kind, needsPerson } = outlook;
  return [
    formatTime(since),
    transfer.id,
    harmless(`${merchant}, ${transfer.mode}`),
    `${formatMinor(transfer.amountMinor)} ${transfer.currency}`,
    `${transfer.operator} (${transfer.country})`,
    transfer.route,
    kind,
    String(asked.times),
    asked.lastAnswer ?? '-',
    next.what === 'INQUIRY' ? formatTime(next.at) : '-',
    proposal === null
      ? whatToDo(needsPerson)
      : `confirm or withdraw: ${proposal.by} says ${proposal.says}`,
  ];
}

function whatToDo(needsPerson: boolean): string {
  return needsPerson ? 'a person must act' : 'wait for the next inquiry';
}

function toJson({ transfer, merchant, since, outlook, asked, proposal }: Doubt) {
  const { id, mode, reference, currency, operator, country, route, operatorReference } = transfer;
  const { kind, says, next, resubmissionAt, needsPerson } = outlook;
  return {
    id,
    merchant,
    mode,
    reference,
    amount: formatMinor(transfer.amountMinor),
    currency,
    operator,
    country,
    route,
    operatorReference,
    since,
    kind,
    why: says,
    timesAsked: asked.times,
    lastAskedAt: asked.lastAt,
    lastAnswer: asked.lastAnswer,
    next: next.what,
    nextCheckAt: next.what === 'INQUIRY' ? next.at : null,
    resubmissions: transfer.resubmissions,
    resubmissionAt,
    needsPerson,
    proposal: proposal === null ? null : { by: proposal.by, says: proposal.says },
  };
}
