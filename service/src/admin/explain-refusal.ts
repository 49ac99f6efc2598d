import type { AdminRefusalCode, AdminRefusals, AdminRefused } from '../domain/admin-refused.ts';
import { harmless } from '../domain/harmless-text.ts';
import { formatMinor } from '../domain/money.ts';
import type { TransferState } from '../domain/transfer-state.ts';
import {
  describeResolution,
  RESOLUTION_DECISIONS,
  type ResolutionDecision,
} from '../resolutions/proposal.ts';
import { CELL_SENTENCES } from './explain-cell-refusal.ts';
import { formatTime } from './format-table.ts';
import type { Sentences } from './refusal-sentences.ts';

export type RefusalExplanation = Readonly<{ message: string; advice: string }>;

/** What is wrong and what to do, in the words of the command line. */
export function explainRefusal({ code, facts }: AdminRefused): RefusalExplanation {
  return explain(code, facts);
}

function explain<Code extends AdminRefusalCode>(
  code: Code,
  facts: AdminRefusals[Code],
): RefusalExplanation {
  const [message, advice] = SENTENCES[code](facts);
  return { message, advice };
}

const ADD_FIRST =
  'There are no administrators yet: "administrators add NAME" makes the first and shows the key.';
const PUT_KEY =
  'Put your own key into the environment variable ADMIN_KEY. Any administrator can give you one with "administrators add NAME"; a lone one who lost the key is replaced with "administrators replace NAME".';
const SEE = '"transfers show ID" tells what happened.';

const SENTENCES: Sentences = {
  ...CELL_SENTENCES,
  ADMIN_KEY_MISSING: ({ isFirst }) => [
    'This needs an administrator, and ADMIN_KEY is not set.',
    isFirst ? ADD_FIRST : PUT_KEY,
  ],
  ADMIN_KEY_UNKNOWN: ({ isFirst }) => [
    'The key in ADMIN_KEY opens nothing: it is mistyped, or its owner was removed.',
    isFirst ? ADD_FIRST : PUT_KEY,
  ],
  ADMINISTRATOR_NEEDED: () => ['This needs an administrator, and ADMIN_KEY is not set.', PUT_KEY],
  ADMINISTRATOR_REMOVED: () => [
    'You were removed as an administrator a moment ago. Nothing was changed.',
    'Any administrator can add you again with "administrators add NAME".',
  ],
  ADMINISTRATOR_EXISTS: ({ name }) => [
    `There is already an administrator called "${name}".`,
    'Choose another name. A person who lost the key is removed first and then added again.',
  ],
  ADMINISTRATOR_NAME_INVALID: ({ max }) => [
    'That is no name for an administrator.',
    `Give the person's own name: 1 to ${max} characters without control characters.`,
  ],
  ADMINISTRATOR_NOT_FOUND: () => [
    'There is no administrator with this name.',
    '"administrators list" shows them all.',
  ],
  ADMINISTRATOR_IS_LAST: () => [
    'This is the last administrator.',
    'Add another one first: "administrators add NAME".',
  ],
  ADMINISTRATOR_NOT_ALONE: ({ others }) => [
    others === 0
      ? 'There is no administrator to replace. Nothing was changed.'
      : `There are ${others} administrators, so one of them can act. Nothing was changed.`,
    others === 0
      ? 'Make the first: "administrators add NAME".'
      : 'Let another one run "administrators remove NAME" and "administrators add NAME" with their own key.',
  ],
  OWNER_NEEDED: () => [
    'This needs the rights of the owner of the tables. Nothing was changed.',
    'Run it on the machine of the service, with MIGRATION_DATABASE_URL set to the URL of the owner.',
  ],
  STATEMENT_INVALID: ({ max }) => [
    'That is nothing to put on record.',
    `Write 1 to ${max} characters on one line: who said what, when, in which ticket.`,
  ],
  MERCHANT_NAME_IS_UUID: () => [
    'A merchant cannot be called by a UUID, since commands take a name or an id.',
    'Choose another name.',
  ],
  MERCHANT_EXISTS: ({ name }) => [
    `There is already a merchant called "${name}".`,
    'Choose another name, or see "merchants list".',
  ],
  MERCHANT_NOT_FOUND: () => [
    'There is no merchant with this name or id.',
    '"merchants list" shows them all.',
  ],
  MERCHANT_SUSPENDED: ({ name, since }) => [
    `${name} is suspended already, since ${formatTime(since)}. Nothing was changed.`,
    'Let it pay again with "merchants resume NAME".',
  ],
  MERCHANT_NOT_SUSPENDED: ({ name }) => [
    `${name} is not suspended. Nothing was changed.`,
    '"merchants list" shows which merchants are.',
  ],
  NAME_INVALID: ({ whose, max }) => [
    `That is no name for a ${whose}.`,
    `Give it 1 to ${max} characters without control characters.`,
  ],
  FEE_INVALID: () => [
    'The fixed fee is no amount.',
    'Write it like 0.50, with at most 2 decimals, at most 1000000000.',
  ],
  PERCENT_INVALID: () => [
    'The percentage is not one from 0 to 100.',
    'Write it like 1.5, with at most 2 decimals and without a percent sign.',
  ],
  KEY_NOT_FOUND: () => [
    'There is no key with this id.',
    '"keys list --merchant NAME" shows the ids of its keys; the key itself is not its id.',
  ],
  KEY_ENDED: ({ standing }) => [
    `This key is ${standing.replaceAll('_', ' ')}, so there is nothing to rotate.`,
    'Create a new one with "keys create".',
  ],
  KEYS_TOO_MANY: ({ max }) => [
    `This book has ${max} live keys, which is the most it may have.`,
    'Revoke one that is no longer used: "keys list" shows when each was last used.',
  ],
  SCOPE_UNKNOWN: ({ given, known }) => [
    `There is no scope ${given.map((text) => JSON.stringify(text)).join(', ')}.`,
    `Choose from ${known.join(', ')}.`,
  ],
  ADDRESSES_TOO_MANY: ({ max }) => [
    `A key takes at most ${max} addresses.`,
    'Write neighbouring addresses as one range, such as 41.72.96.0/24.',
  ],
  ADDRESS_INVALID: ({ given }) => [
    `${JSON.stringify(given)} is no address or range.`,
    'Write an address (41.72.96.7), or a range that starts at its first address (41.72.96.0/24).',
  ],
  WALLET_NOT_FOUND: () => ['There is no wallet with this id.', '"wallets list" shows them all.'],
  WALLETS_TOO_MANY: ({ max }) => [
    `This book has ${max} wallets, which is the most it may have.`,
    'Use one that is there: "wallets list" shows them.',
  ],
  FUNDING_REFERENCE_INVALID: ({ max }) => [
    'The funding reference is not valid.',
    `Give it 1 to ${max} characters without control characters.`,
  ],
  FUNDING_REFERENCE_USED: () => [
    'This funding reference was used for another amount or wallet. Nothing was booked.',
    'Give each funding a reference of its own, such as the number of the bank statement line.',
  ],
  FUNDING_REFERENCE_TAKEN_BACK: ({ sequence, at }) => [
    `The funding with this reference was taken back, by posting ${sequence} at ${formatTime(at)}. Nothing was booked now.`,
    'If the money did arrive, fund it under another reference.',
  ],
  FUNDING_NOT_FOUND: () => [
    'This wallet has no funding with this reference.',
    '"administrators acts --kind WALLET_FUNDED" lists fundings with their references.',
  ],
  FUNDING_TAKEN_BACK: ({ sequence, at }) => [
    `This funding was taken back already, by posting ${sequence} at ${formatTime(at)}. Nothing was booked.`,
    'A funding is taken back once. Money that arrives again is funded under a new reference.',
  ],
  FUNDING_SPENT: ({ amountMinor, availableMinor, heldMinor, currency }) => [
    `The funding was ${formatMinor(amountMinor)} ${currency}, and the wallet has ${formatMinor(availableMinor)} available and ${formatMinor(heldMinor)} held for payouts. Nothing was booked.`,
    'Stop new payouts with "wallets freeze ID". Then wait until payouts end or the merchant cancels queued ones, or let the merchant pay in what is missing and fund it, and run this again.',
  ],
  TAKE_BACK_IS_OWN: ({ expiresAt }) => [
    'You proposed this yourself. Taking money back needs two different administrators.',
    `Let another one look at the bank statement and run the same command before ${formatTime(expiresAt)}. To change your mind: "wallets keep-funding".`,
  ],
  TAKE_BACK_NOT_PROPOSED: () => [
    'No take-back of this funding is proposed.',
    'Propose one with "wallets take-back".',
  ],
  TRANSFER_NOT_FOUND: () => [
    'There is no such transfer.',
    'Give its id, its operator reference, or the reference of the merchant. "transfers in-doubt" lists those in doubt.',
  ],
  TRANSFER_AMBIGUOUS: ({ found }) => [
    `Several transfers have this reference: ${found.map(({ merchant, mode, id }) => harmless(`${id} (${merchant}, ${mode})`)).join(', ')}.`,
    'Name the merchant with --merchant NAME, and the book with --mode live or --mode test; or give the id.',
  ],
  DECISION_IMPOSSIBLE: ({ state, decision }) => [
    `The transfer is ${state}, so people cannot decide that ${RESOLUTION_DECISIONS[decision].words}.`,
    adviseDecision(state, decision),
  ],
  DECISION_OVERTAKEN: ({ state }) => [
    `Something happened to the transfer after this was proposed, or its operator said something new: it is ${state} now. Nothing was changed, and the proposal has ended.`,
    `${SEE} If it is still to be decided, begin again with what is known now.`,
  ],
  DECISION_DIFFERS: ({ proposedBy, proposed, given }) => [
    `${proposedBy} proposed that ${describeResolution(proposed)}; you say that ${describeResolution(given)}. Nothing was changed.`,
    'Two people who see different things need more evidence, not a decision. Talk to each other; one of you withdraws the proposal with "transfers withdraw ID".',
  ],
  PROPOSAL_IS_OWN: ({ expiresAt }) => [
    'You proposed this yourself. A decision needs two different administrators.',
    `Let another one look at the evidence and run the same command before ${expiresAt.toISOString()}. To change your mind: "transfers withdraw ID".`,
  ],
  PROPOSAL_RACED: () => [
    'Another administrator proposed something for this transfer at the same moment.',
    'Look at it with "transfers show ID", and run the command again if you say the same.',
  ],
  PROPOSAL_NOT_FOUND: () => [
    'Nothing is proposed for this transfer.',
    '"transfers show ID" tells what was proposed and what became of it.',
  ],
  // What is on the wire now may be paid a moment after the decision.
  SUBMISSION_UNDER_WAY: () => [
    'The same order is being submitted again or inquired about right now. Nothing was changed, and the proposal stays.',
    `Run the command again in half a minute. ${SEE}`,
  ],
  RECALL_STATE: ({ state }) => [
    `The transfer is ${state}, so there is nothing that the operator could take back.`,
    `One that is queued can be cancelled by the merchant. ${SEE}`,
  ],
  RECALL_ROUTE_UNKNOWN: ({ route }) => [
    `The route ${route} is not in ROUTES_FILE, so its operator cannot be asked.`,
    'Set ROUTES_FILE to the route file of the service. Transfers of test books have no operator.',
  ],
  RECALL_UNSUPPORTED: ({ route }) => [
    `The operator behind ${route} has no way to take a payout back.`,
    'Ask its support, and record money that came back with "transfers reverse".',
  ],
  ASK_STATE: ({ state }) => [
    `The transfer is ${state}, so there is nothing to ask its operator.`,
    SEE,
  ],
  ASK_IMPOSSIBLE: ({ route }) => [
    `The operator behind ${route} has no inquiry.`,
    'Ask its support, and record what they say with "transfers resolve".',
  ],
  ASKED_JUST_NOW: ({ pauseMs }) => [
    'The operator was asked a moment ago, or is being asked right now.',
    `${SEE} Ask again in ${pauseMs / 1_000} seconds.`,
  ],
  CANCEL_STATE: ({ state }) => [
    `The transfer is ${state}, so it cannot be cancelled.`,
    `Only what is queued can be. ${SEE}`,
  ],
  INCIDENT_NOT_FOUND: () => [
    'There is no open incident with this id.',
    '"incidents list" shows them, open ones first.',
  ],
  FLOAT_NOT_FOUND: () => ['There is no such float.', '"routes float" shows them all.'],
  FLOAT_UNREPORTED: ({ route }) => [
    `The operator behind ${route} has not said yet what the account holds.`,
    '"routes float" shows why.',
  ],
  FLOAT_CHANGE_INVALID: () => [
    'That is no amount that came or left.',
    'Give an amount such as 500000.00, or -12.50 for what left.',
  ],
  ROUTE_STOPPED: ({ route, effect }) => [
    `The route ${route} is ${effect} already. Nothing was changed.`,
    `"routes list" says by whom. To change how it is stopped, end it first: "routes ${effect === 'held' ? 'release' : 'open'} ${route}".`,
  ],
  ROUTE_NOT_STOPPED: ({ route, effect }) => [
    `The route ${route} is not ${effect}. Nothing was changed.`,
    '"routes list" shows which are held or closed.',
  ],
};

function adviseDecision(state: TransferState, decision: ResolutionDecision): string {
  if (decision === 'reversed') {
    return state === 'in_doubt'
      ? `Decide first whether it was paid, with "transfers resolve"; ${SEE}`
      : `Only what was paid can come back; ${SEE}`;
  }
  switch (state) {
    case 'succeeded':
      return `It is settled as paid. Money that came back is recorded with "transfers reverse"; ${SEE}`;
    case 'failed':
    case 'cancelled':
    case 'reversed':
      return `It has ended, and an end is never edited; ${SEE} What contradicts it is an incident: "incidents list".`;
    default:
      return `It is still under way by itself. People decide only what is in doubt; ${SEE}`;
  }
}
