import { formatMinor } from '../domain/money.ts';
import { type Doubt, listInDoubt } from '../transfers/list-in-doubt.ts';
import { type AdminDeps, type Answer, CALL } from './add-command.ts';
import { formatTable, formatTime } from './format-table.ts';
import { harmless } from './harmless-text.ts';

/** What nobody can say yet whether it was paid, and who must do something about it. */
export async function showDoubts(deps: AdminDeps): Promise<Answer> {
  const { doubts, more } = await listInDoubt(deps.database, { now: deps.now() });
  const json = { transfers: doubts.map(toJson), more };
  if (doubts.length === 0) return { json, text: 'Nothing is in doubt.' };
  const titles = ['since', 'transfer', 'merchant', 'amount', 'operator', 'route', 'asked', 'next'];
  const columns = [...titles.map((title) => ({ title })), { title: 'do' }];
  const table = formatTable(columns, doubts.map(toCells));
  const rest = more ? '\n… and more, which are not listed.' : '';
  return { json, text: `${table}${rest}\n\nLook at one: ${CALL} transfers show TRANSFER` };
}

function toCells(doubt: Doubt): string[] {
  return [
    formatTime(doubt.since),
    doubt.id,
    harmless(`${doubt.merchant}, ${doubt.mode}`),
    `${formatMinor(doubt.amountMinor)} ${doubt.currency}`,
    `${doubt.operator} (${doubt.country})`,
    doubt.route,
    String(doubt.timesAsked),
    formatTime(doubt.nextCheckAt),
    whatToDo(doubt),
  ];
}

function whatToDo({ proposal, needsPerson }: Doubt): string {
  if (proposal !== null) return `confirm or withdraw: ${proposal.by} says ${proposal.says}`;
  return needsPerson ? 'a person must act' : 'wait, it is asked again';
}

function toJson({ amountMinor, ...doubt }: Doubt) {
  return { ...doubt, amount: formatMinor(amountMinor) };
}
