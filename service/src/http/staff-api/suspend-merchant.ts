import { findMerchantPlace } from '../../merchants/find-merchant-place.ts';
import { resumeMerchant, suspendMerchant } from '../../merchants/suspend-merchant.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { StaffMerchant } from '../schemas/staff-merchant-schema.ts';
import { ReasonBody } from '../schemas/staff-transfer-schema.ts';
import { createStaffReader } from './read-staff-body.ts';
import { renderMerchant } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

type Change = Readonly<{
  word: 'suspend' | 'resume';
  change: typeof suspendMerchant;
  summary: string;
  description: string;
  message: string;
}>;

export function suspendMerchantOperation(deps: StaffDeps) {
  return changeOperation(deps, {
    word: 'suspend',
    change: suspendMerchant,
    summary: 'Suspend a merchant',
    description: 'Nothing new is paid in either book, and what is queued waits. Reading goes on.',
    message: 'Merchant suspended',
  });
}

export function resumeMerchantOperation(deps: StaffDeps) {
  return changeOperation(deps, {
    word: 'resume',
    change: resumeMerchant,
    summary: 'Let a suspended merchant pay again',
    description: 'Beginning with what is queued.',
    message: 'Merchant resumed',
  });
}

function changeOperation(deps: StaffDeps, { word, change, message, ...texts }: Change) {
  return staffOperation({
    method: 'POST',
    path: `/merchants/:id/${word}`,
    operationId: `${word}Merchant`,
    permission: 'merchants:write',
    ...texts,
    schema: {
      params: pathParameter('id', 'The id of the merchant.'),
      body: ReasonBody,
      data: { 200: StaffMerchant },
    },
    async handle({ caller: { actor }, params, body = new Map() }) {
      const read = createStaffReader(body, Object.keys(ReasonBody.properties));
      const { reason } = read.checked({ reason: read.statement('reason') });
      const place = await findMerchantPlace(deps.directory, params['id'] ?? '');
      const inside = inCell(deps, deps.cells.named(place.cell));
      const merchant = await change(inside, { actor, merchant: place.id, reason });
      return { status: 200, message, data: renderMerchant(merchant) };
    },
  });
}
