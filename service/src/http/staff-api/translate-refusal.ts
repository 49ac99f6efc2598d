import type { AdminRefusalCode, AdminRefusals } from '../../domain/admin-refused.ts';
import { AdminRefused } from '../../domain/admin-refused.ts';
import { type FieldCode, type FieldProblem, fieldProblem } from '../../domain/field-problem.ts';
import { formatMinor } from '../../domain/money.ts';
import { refuse } from '../../domain/refusal.ts';
import type { RefusalCode } from '../../domain/refusal-codes.ts';
import { describeResolution, RESOLUTION_DECISIONS } from '../../resolutions/proposal.ts';

/** What the API says instead of a refusal of the use cases: about the request, or about one of its fields. */
type Translation =
  | Readonly<{ code: RefusalCode; message: string; retryAfterSeconds?: number }>
  | Readonly<{ field: string; code: FieldCode; message: string }>;

type Translations = {
  readonly [Code in StaffRefusalCode]: (facts: AdminRefusals[Code]) => Translation;
};

/** Refusals of the command line alone: only it makes administrators and their keys, recalls, and moves merchants. */
type CommandLineOnly =
  | Extract<AdminRefusalCode, `ADMIN_KEY_${string}`>
  | Exclude<Extract<AdminRefusalCode, `ADMINISTRATOR_${string}`>, 'ADMINISTRATOR_REMOVED'>
  | 'OWNER_NEEDED'
  | Extract<AdminRefusalCode, `RECALL_${string}`>
  | Exclude<Extract<AdminRefusalCode, `CELL_${string}`>, 'CELL_NOT_FOUND' | 'CELL_CLOSED'>
  | Extract<AdminRefusalCode, `MOVE_${string}`>
  | 'TRANSFER_AMBIGUOUS'
  | 'KEY_ENDED';

export type StaffRefusalCode = Exclude<AdminRefusalCode, CommandLineOnly>;

const CHANGED_NOTHING = 'Nothing was changed.';

/** One table: a new refusal of the use cases that people can meet does not compile without a line here. */
const TRANSLATIONS: Translations = {
  ADMINISTRATOR_REMOVED: () => ({
    code: 'FORBIDDEN',
    message: `You are no longer of the staff. ${CHANGED_NOTHING} An administrator can give you a role again.`,
  }),
  STATEMENT_INVALID: ({ max }) => ({
    field: 'reason',
    code: 'INVALID_TEXT',
    message: `Write 1 to ${max} characters on one line: who said what, when, in which ticket.`,
  }),
  MERCHANT_NAME_IS_UUID: () => ({
    field: 'name',
    code: 'INVALID_TEXT',
    message: 'A merchant cannot be called by a UUID. Choose another name.',
  }),
  MERCHANT_EXISTS: ({ name }) => ({
    field: 'name',
    code: 'TAKEN',
    message: `There is already a merchant called "${name}". Choose another name, or use that one.`,
  }),
  MERCHANT_NOT_FOUND: () => notFound('merchant', 'GET merchants lists them.'),
  CELL_NOT_FOUND: ({ known }) => ({
    field: 'cell',
    code: 'INVALID_TEXT',
    message: `There is no such cell. Leave it out, or choose from ${known.join(', ')}.`,
  }),
  CELL_CLOSED: ({ name }) => ({
    field: 'cell',
    code: 'INVALID_TEXT',
    message: `The cell ${name} is closed: no new merchants are placed in it. Leave it out, or name another.`,
  }),
  MERCHANT_SUSPENDED: ({ name, since }) =>
    state(`${name} is suspended already, since ${since.toISOString()}. Resume it to let it pay.`),
  MERCHANT_NOT_SUSPENDED: ({ name }) => state(`${name} is not suspended, so it may pay.`),
  NAME_INVALID: ({ max }) => ({
    field: 'name',
    code: 'INVALID_TEXT',
    message: `Give it 1 to ${max} characters without control characters.`,
  }),
  FEE_INVALID: () => ({
    field: 'feeFixed',
    code: 'INVALID_AMOUNT',
    message: 'Text like "0.50", with at most 2 decimals, at most 1000000000.',
  }),
  PERCENT_INVALID: () => ({
    field: 'feePercent',
    code: 'INVALID_AMOUNT',
    message: 'Text like "1.5": from 0 to 100 with at most 2 decimals, without a percent sign.',
  }),
  KEY_NOT_FOUND: () => notFound('key', 'GET merchants/{id} lists its keys; a key is not its id.'),
  KEYS_TOO_MANY: ({ max }) => ({
    code: 'LIMIT_EXCEEDED',
    message: `This book has ${max} live keys, which is the most it may have. Revoke one first.`,
  }),
  SCOPE_UNKNOWN: ({ known }) => ({
    field: 'scopes',
    code: 'INVALID_SCOPES',
    message: `Choose from ${known.join(', ')}.`,
  }),
  ADDRESSES_TOO_MANY: ({ max }) => ({
    field: 'addresses',
    code: 'INVALID_ADDRESSES',
    message: `At most ${max}. Write neighbouring addresses as one range, such as 41.72.96.0/24.`,
  }),
  ADDRESS_INVALID: () => ({
    field: 'addresses',
    code: 'INVALID_ADDRESSES',
    message: 'Each is an address (41.72.96.7), or a range from its first address (41.72.96.0/24).',
  }),
  WALLET_NOT_FOUND: () => ({
    code: 'WALLET_NOT_FOUND',
    message: 'There is no wallet with this id. GET merchants/{id} lists those of a merchant.',
  }),
  WALLETS_TOO_MANY: ({ max }) => ({
    code: 'LIMIT_EXCEEDED',
    message: `This book has ${max} wallets, which is the most it may have. Use one that is there.`,
  }),
  FUNDING_REFERENCE_INVALID: ({ max }) => ({
    field: 'reference',
    code: 'INVALID_TEXT',
    message: `1 to ${max} characters without control characters, such as the line of the bank statement.`,
  }),
  FUNDING_REFERENCE_USED: () => ({
    code: 'DUPLICATE_REFERENCE',
    message:
      'This reference was used for another amount or wallet. Nothing was booked. Give each funding a reference of its own.',
  }),
  FUNDING_REFERENCE_TAKEN_BACK: ({ sequence, at }) => ({
    code: 'FUNDING_REFERENCE_TAKEN_BACK',
    message: `The funding with this reference was taken back, by posting ${sequence} at ${at.toISOString()}. Nothing was booked now. If the money did arrive, fund it under another reference.`,
  }),
  FUNDING_NOT_FOUND: () =>
    notFound('funding with this reference in this wallet', "The wallet's statement lists them."),
  FUNDING_TAKEN_BACK: ({ sequence, at }) =>
    state(
      `This funding was taken back already, by posting ${sequence} at ${at.toISOString()}. Fund money that arrives again under a new reference.`,
    ),
  FUNDING_SPENT: ({ amountMinor, availableMinor, heldMinor, currency }) => ({
    code: 'INSUFFICIENT_BALANCE',
    message: `The funding was ${formatMinor(amountMinor)} ${currency}, and the wallet has ${formatMinor(availableMinor)} available and ${formatMinor(heldMinor)} held. Nothing was booked. Freeze the wallet, and wait for payouts to end or have the missing money paid in.`,
  }),
  TAKE_BACK_IS_OWN: ({ expiresAt }) =>
    ownWork(
      `You proposed this yourself. Let another person look at the bank statement and do the same before ${expiresAt.toISOString()}.`,
    ),
  TAKE_BACK_NOT_PROPOSED: () => state('No take-back of this funding is proposed. Propose one.'),
  TRANSFER_NOT_FOUND: () => ({
    code: 'TRANSFER_NOT_FOUND',
    message: 'There is no such transfer. Search for it by reference, receipt or number.',
  }),
  DECISION_IMPOSSIBLE: (facts) =>
    state(
      `The transfer is ${facts.state}, so people cannot decide that ${RESOLUTION_DECISIONS[facts.decision].words}. Look at its timeline.`,
    ),
  DECISION_OVERTAKEN: (facts) =>
    state(
      `Something happened to the transfer after this was proposed, or its operator said something new: it is ${facts.state} now, and the proposal has ended. Look at it again; if it is still to be decided, begin again with what is known now.`,
    ),
  DECISION_DIFFERS: ({ proposedBy, proposed, given }) =>
    state(
      `${proposedBy} proposed that ${describeResolution(proposed)}; you say that ${describeResolution(given)}. Talk to each other; one of you withdraws the proposal.`,
    ),
  PROPOSAL_IS_OWN: ({ expiresAt }) =>
    ownWork(
      `You proposed this yourself. Let another person look at the evidence and say the same before ${expiresAt.toISOString()}, or withdraw it.`,
    ),
  PROPOSAL_RACED: () =>
    state('Another person proposed something at the same moment. Look at it, and say the same.'),
  PROPOSAL_NOT_FOUND: () => state('Nothing is proposed for this transfer.'),
  SUBMISSION_UNDER_WAY: () =>
    state(
      'The same order is being submitted again or inquired about right now. The proposal stays: try again in half a minute.',
    ),
  ASK_STATE: (facts) =>
    state(`The transfer is ${facts.state}, so there is nothing to ask its operator.`),
  ASK_IMPOSSIBLE: ({ route, isKnown }) =>
    state(
      isKnown
        ? `The operator behind ${route} has no inquiry. Ask its support, then resolve the transfer.`
        : `The route ${route} is not in the route file of this process. Add it again to ask its operator.`,
    ),
  ASKED_JUST_NOW: ({ pauseMs }) => ({
    code: 'RATE_LIMITED',
    message:
      'The operator was asked a moment ago, or is being asked right now. Look at the timeline, and ask again later.',
    retryAfterSeconds: Math.ceil(pauseMs / 1_000),
  }),
  CANCEL_STATE: (facts) =>
    state(`The transfer is ${facts.state}. Only what is queued can be cancelled.`),
  INCIDENT_NOT_FOUND: () => notFound('open incident', 'GET incidents lists them.'),
  FLOAT_NOT_FOUND: () => notFound('float', 'GET floats lists them.'),
  FLOAT_UNREPORTED: ({ route }) =>
    state(
      `The operator behind ${route} has not said yet what the account holds, so nothing differs.`,
    ),
  FLOAT_CHANGE_INVALID: () => ({
    field: 'amount',
    code: 'INVALID_AMOUNT',
    message: 'Text like "500000.00", or "-12.50" for what left, with at most 2 decimals; not zero.',
  }),
  ROUTE_STOPPED: ({ route, effect }) =>
    state(`The route ${route} is ${effect} already. End that first to stop it another way.`),
  ROUTE_NOT_STOPPED: ({ route, effect }) =>
    state(`The route ${route} is not ${effect}. GET routes says how each is.`),
};

function state(message: string): Translation {
  return { code: 'INVALID_STATE', message: `${message} ${CHANGED_NOTHING}` };
}

function ownWork(message: string): Translation {
  return { code: 'OWN_WORK', message: `${message} ${CHANGED_NOTHING}` };
}

function notFound(what: string, where: string): Translation {
  return { code: 'NOT_FOUND', message: `There is no such ${what}. ${where}` };
}

export function isStaffRefusal(code: AdminRefusalCode): code is StaffRefusalCode {
  return Object.hasOwn(TRANSLATIONS, code);
}

/** Any error of a use case; one that only the command line can meet is a bug here and stays as it is. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof AdminRefused) || !isStaffRefusal(error.code)) return error;
  const translation = translate(error.code, error.facts);
  if ('field' in translation)
    return refuse('VALIDATION_ERROR', { fields: [problemOf(translation)] });
  const { code, message, retryAfterSeconds } = translation;
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return refuse(code, { message, ...later });
}

/** The refusal as a problem of the field that the body has for it; undefined: it is about no field. */
export function translateField(error: unknown, field: string): FieldProblem | undefined {
  if (!(error instanceof AdminRefused) || !isStaffRefusal(error.code)) return undefined;
  const translation = translate(error.code, error.facts);
  return 'field' in translation ? problemOf({ ...translation, field }) : undefined;
}

function problemOf({
  field,
  code,
  message,
}: Extract<Translation, { field: string }>): FieldProblem {
  return fieldProblem(field, code, message);
}

/** The facts of a refusal belong to its code, which the class of the error holds and a union of codes cannot say. */
function translate(code: StaffRefusalCode, facts: object): Translation {
  const say = TRANSLATIONS[code] as (facts: object) => Translation;
  return say(facts);
}
