import type { PersonActor } from '../../domain/actor.ts';
import type { ControlOwner } from '../../domain/control-owner.ts';
import { refuse } from '../../domain/refusal.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { ScreenerDeps } from '../../screening/add-screener.ts';
import { removeScreener } from '../../screening/remove-screener.ts';
import { idParameter } from '../schemas/id-parameter.ts';
import { DeletedScreener } from '../schemas/screener-schema.ts';
import type { ApiAnswer, PeopleOperation, StaffOperation } from '../server/api-operation.ts';

type RemoveDeps = Pick<ScreenerDeps, 'database' | 'now' | 'newId'>;

export function removeScreenerOperation(deps: RemoveDeps): PeopleOperation {
  return {
    ...DESCRIBED,
    operationId: 'removeScreener',
    tag: 'Controls',
    permission: 'policy:write',
    stepUp: 'live',
    summary: 'Delete a screener',
    description:
      'In a live book, publish a policy that does not ask for it first. In a test book, payouts that a rule would have ' +
      'it asked about wait for a person from then on.',
    handle: ({ caller: { book, actor }, params }) =>
      answer(deps, {
        actor,
        owner: { bookId: book.id, merchantId: book.merchantId },
        id: params.id,
      }),
  };
}

export function removeCompanyScreenerOperation(deps: RemoveDeps): StaffOperation {
  return {
    ...DESCRIBED,
    operationId: 'removeCompanyScreener',
    tag: 'Operations',
    permission: 'merchants:write',
    stepUp: true,
    summary: 'Delete a screener of the company',
    description: 'Payouts that a rule would have it asked about wait for a person from then on.',
    handle: ({ caller: { actor }, params }) =>
      answer(deps, { actor, owner: 'company', id: params.id }),
  };
}

const DESCRIBED = {
  method: 'DELETE',
  path: '/screeners/:id',
  schema: { params: idParameter('screener'), data: { 200: DeletedScreener } },
} as const;

async function answer(
  deps: RemoveDeps,
  request: Readonly<{ actor: PersonActor; owner: ControlOwner; id: string | undefined }>,
): Promise<ApiAnswer> {
  const id = parseUuid(request.id ?? '');
  if (id === undefined) throw refuse('SCREENER_NOT_FOUND');
  await removeScreener(deps, { ...request, id });
  return { status: 200, message: 'Screener deleted', data: { id } };
}
