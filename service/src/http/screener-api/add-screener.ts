import { SCREENER_NAME_PATTERN } from '../../domain/policy/policy.ts';
import {
  addCompanyScreener,
  type CompanyScreenerDeps,
} from '../../screening/add-company-screener.ts';
import {
  type ScreenerWithSecret as Added,
  addScreener,
  type ScreenerDeps,
} from '../../screening/add-screener.ts';
import {
  DEADLINE_DEFAULT_MS,
  DEADLINE_MAX_MS,
  DEADLINE_MIN_MS,
  SCREENER_NAME_LENGTH_MAX,
} from '../../screening/screener.ts';
import type { WebhookUrlRules } from '../../webhooks/webhook-url.ts';
import { checkWebhookUrl } from '../../webhooks/webhook-url.ts';
import type { BodyFields } from '../merchant-api/read-webhook-body.ts';
import { ScreenerBody, ScreenerWithSecret } from '../schemas/screener-schema.ts';
import type { PeopleOperation, StaffOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import { JsonNumber, type JsonObject } from '../server/strict-json.ts';
import { renderScreener } from './render-screener.ts';

export type ScreenerApiDeps = ScreenerDeps &
  Readonly<{ toLoopback: WebhookUrlRules['toLoopback'] }>;

type Modes = readonly WebhookUrlRules['mode'][];

export function addScreenerOperation(deps: ScreenerApiDeps): PeopleOperation {
  return {
    ...DESCRIBED,
    operationId: 'addScreener',
    tag: 'Controls',
    permission: 'policy:write',
    stepUp: 'live',
    summary: 'Add a screener',
    description:
      'A rule that requires `screen` with its name has it asked before the payout leaves: the guide Screening ' +
      'says how. The `secret` is shown only here. A book has at most 10, and none by a name that the company has. In a ' +
      'live book, add it before the policy or its draft asks for it.',
    async handle({ caller: { book, actor }, body = new Map() }) {
      const values = readBody(deps, body, [book.mode]);
      const owner = { bookId: book.id, merchantId: book.merchantId };
      return answer(await addScreener(deps, { actor, owner, ...values }));
    },
  };
}

export function addCompanyScreenerOperation(
  deps: ScreenerApiDeps & CompanyScreenerDeps,
): StaffOperation {
  return {
    ...DESCRIBED,
    operationId: 'addCompanyScreener',
    tag: 'Operations',
    permission: 'merchants:write',
    stepUp: true,
    summary: 'Add a screener for all merchants',
    description:
      'Rules of every book may ask for it by name. It is asked only where such a rule is in force, and sees the transfer. ' +
      'A name that a book has for its own screener is refused, and all cells must answer.',
    async handle({ caller: { actor }, body = new Map() }) {
      const values = readBody(deps, body, ['live', 'test']);
      return answer(await addCompanyScreener(deps, { actor, ...values }));
    },
  };
}

const DESCRIBED = {
  method: 'POST',
  path: '/screeners',
  schema: { body: ScreenerBody, data: { 201: ScreenerWithSecret } },
} as const;

function readBody({ toLoopback }: ScreenerApiDeps, body: JsonObject, modes: Modes) {
  const read = createFieldReader(body, Object.keys(ScreenerBody.properties));
  return read.checked({
    name: readName({ read, body }),
    url: readUrl({ read, body }, { toLoopback, modes }),
    deadlineMs: readDeadline({ read, body }),
  });
}

/** As rules may write it. */
function readName({ read, body }: BodyFields): string | undefined {
  const value = body.get('name');
  if (typeof value === 'string' && SCREENER_NAME_PATTERN.test(value)) return value;
  if (value === undefined) read.problem('name', 'REQUIRED');
  else read.problem('name', 'INVALID_TEXT', NAME_MESSAGE);
  return undefined;
}

const NAME_MESSAGE = `1 to ${SCREENER_NAME_LENGTH_MAX} letters, digits, dots, underscores and hyphens.`;

/** One that may be used in any of these modes. It is checked again when it is asked, for the mode of the transfer. */
function readUrl(
  { read, body }: BodyFields,
  { toLoopback, modes }: Readonly<{ toLoopback: WebhookUrlRules['toLoopback']; modes: Modes }>,
): URL | undefined {
  const value = body.get('url');
  const url =
    typeof value === 'string'
      ? modes
          .map((mode) => checkWebhookUrl(value, { mode, toLoopback }))
          .find((one) => one !== undefined)
      : undefined;
  if (url === undefined) read.problem('url', value === undefined ? 'REQUIRED' : 'INVALID_URL');
  return url;
}

function readDeadline({ read, body }: BodyFields): number | undefined {
  const value = body.get('deadlineMs') ?? null;
  if (value === null) return DEADLINE_DEFAULT_MS;
  const ms =
    value instanceof JsonNumber && /^\d{1,5}$/.test(value.lexeme) ? Number(value.lexeme) : 0;
  if (ms >= DEADLINE_MIN_MS && ms <= DEADLINE_MAX_MS) return ms;
  read.problem(
    'deadlineMs',
    'INVALID_LIMIT',
    `A whole number from ${DEADLINE_MIN_MS} to ${DEADLINE_MAX_MS}.`,
  );
  return undefined;
}

function answer({ screener, secret }: Added) {
  return {
    status: 201,
    message: 'Screener added',
    data: { ...renderScreener(screener), secret },
  } as const;
}
