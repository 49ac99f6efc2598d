import { actorCode } from '../../domain/actor.ts';
import type { Account } from '../../operators/contract/connector.ts';
import type { AccountNames } from '../../recipients/account-names.ts';
import { resolveAccount } from '../../recipients/resolve-account.ts';
import { ResolveBody, ResolvedAccountObject } from '../schemas/recipient-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createFieldReader } from '../server/field-reader.ts';
import type { JsonObject } from '../server/strict-json.ts';

/** Enough for people who fill in a form, too few to scan for who owns which number. */
const RESOLVES_PER_SECOND = 20;
const RESOLVES_BURST = 60;

export function resolveAccountOperation(deps: Readonly<{ names: AccountNames }>): ApiOperation {
  return {
    method: 'POST',
    path: '/resolve/mobile-money',
    operationId: 'resolveAccount',
    tag: 'Recipients',
    isOfPayouts: true,
    scope: 'read',
    permission: 'payouts:write',
    rateLimit: { perSecond: RESOLVES_PER_SECOND, burst: RESOLVES_BURST },
    summary: 'Look up the name of an account',
    description:
      'Asks the operator, or returns its answer of the last ten minutes. Creates no recipient; the ' +
      'lookup and its key are recorded. It has its own rate limit, a limit of names a day, and the ' +
      'limit of requests to the operator. If the operator cannot be reached now the answer is 503: ' +
      'try again after `Retry-After`.',
    schema: { body: ResolveBody, data: { 200: ResolvedAccountObject } },
    async handle({ caller, body }) {
      const account = readAccount(body ?? new Map());
      const { phone, accountName, operator, country } = await resolveAccount(deps, {
        book: caller.book,
        actor: actorCode(caller.actor),
        account,
      });
      const data = { phone, accountName, operator, country };
      return { status: 200, message: 'Account resolved', data };
    },
  };
}

function readAccount(body: JsonObject): Account {
  const read = createFieldReader(body, Object.keys(ResolveBody.properties));
  const country = read.country('country');
  return read.checked({
    phone: read.phone('phone', country),
    operator: read.operator('operator'),
    country,
  });
}
