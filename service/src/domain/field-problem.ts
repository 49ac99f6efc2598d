/** The codes of single broken fields, under `fields` of a VALIDATION_ERROR. */
export const FIELD_CODES = {
  REQUIRED: 'The field is missing.',
  UNKNOWN_FIELD: 'There is no such field. Check its spelling.',
  INVALID_AMOUNT:
    'A JSON number from 0.01 to 1000000000.00 with at most 2 decimals, not in quotes.',
  INVALID_REFERENCE: '1 to 100 characters: letters, digits, dot, underscore, hyphen.',
  INVALID_PHONE:
    'A mobile number of the given country, such as +260977433571 in Zambia or +2348031234567 in Nigeria.',
  INVALID_OPERATOR: 'One of airtel, mtn, zamtel, vodacom.',
  INVALID_COUNTRY: 'One of zm, ng.',
  INVALID_WALLET_ID: 'A UUID, such as 01890a5d-ac96-774b-bcce-b302099a8057.',
  TOO_LONG: 'Too long.',
  INVALID_TEXT: 'Text without control characters, broken surrogates or bidirectional overrides.',
  INVALID_URL: 'An https address of a public host, without a user name, a fragment or an odd port.',
  INVALID_EVENTS: 'A list of event types, such as ["transfer.successful"], without repeats.',
  INVALID_LIST: 'A list of 1 to 1000 transfers.',
  INVALID_STATUS: 'One of pending, successful, failed, cancelled, reversed.',
  INVALID_STATE: 'One of the states in docs/transfer-states.md.',
  INVALID_LIMIT: 'A whole number from 1 to 100.',
  INVALID_CURSOR: 'Take nextCursor from the previous page as it is.',
  INVALID_EMAIL: 'An e-mail address, such as mutale@example.com.',
  WEAK_PASSWORD: '12 to 128 characters that are hard to guess: three or four unrelated words.',
  INVALID_CODE: 'The code that the authenticator app shows now: 6 digits.',
  INVALID_SCOPES:
    'A list of one or more of transfers:write, recipients:write and read, without repeats.',
  INVALID_ADDRESSES:
    'A list of at most 50 addresses or ranges, such as ["41.72.96.0/24"]. Empty: any address.',
  INVALID_COLUMNS: 'A list of at most 40 names of columns, each of at most 40 characters.',
  INVALID_BOOLEAN: 'True or false.',
  INVALID_ID: 'A UUID, such as 01890a5d-ac96-774b-bcce-b302099a8057.',
  INVALID_KIND: 'A kind of act, such as KEY_ISSUED.',
  INVALID_ROLES:
    'A list of 1 to 20 roles, each once, such as [{"role": "viewer", "bookId": null}].',
  TAKEN: 'Another one has this already.',
  INVALID_METADATA:
    'An object of at most 20 keys of 1 to 40 letters, digits, dots, underscores and hyphens, each with a text of at most 200 characters.',
  INVALID_SEND_AT:
    'A date and time in ISO 8601 with an offset, such as 2026-11-15T08:00:00+02:00, not in the past and at most 90 days ahead.',
  INVALID_POLICY: 'Not valid in a policy. The message says what may stand here.',
  INVALID_TIME: 'A date and time in ISO 8601, such as 2026-11-15T08:00:00Z.',
  INVALID_RECURRENCE:
    'A day of every month or week: every, day, at and ifHoliday as the documentation says.',
  INVALID_DATE: 'A day of the calendar, such as 2026-11-30.',
} as const;

export type FieldCode = keyof typeof FIELD_CODES;

/** Those of fields that only people with a session send. */
export const PEOPLE_FIELD_CODES = [
  'INVALID_EMAIL',
  'WEAK_PASSWORD',
  'INVALID_CODE',
  'INVALID_SCOPES',
  'INVALID_ADDRESSES',
  'INVALID_COLUMNS',
  'INVALID_BOOLEAN',
  'INVALID_KIND',
  'INVALID_ROLES',
  'INVALID_POLICY',
] as const satisfies readonly FieldCode[];

/** A field that a caller has to correct. */
export type FieldProblem = Readonly<{ field: string; code: FieldCode; message: string }>;

export function fieldProblem(field: string, code: FieldCode, message?: string): FieldProblem {
  return { field, code, message: message ?? FIELD_CODES[code] };
}
