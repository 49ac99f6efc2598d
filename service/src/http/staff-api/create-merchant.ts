import { checkPlainText } from '../../domain/plain-text.ts';
import { createMerchant } from '../../merchants/create-merchant.ts';
import { readName } from '../../merchants/read-name.ts';
import { FeesBody, MerchantBody, StaffMerchant } from '../schemas/staff-merchant-schema.ts';
import type { JsonObject } from '../server/strict-json.ts';
import { createStaffReader, NO_FEES, readFees } from './read-staff-body.ts';
import { renderMerchant } from './render-staff.ts';
import type { StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

const CELL_LENGTH_MAX = 40;

export function createMerchantOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/merchants',
    operationId: 'createMerchant',
    permission: 'merchants:write',
    stepUp: true,
    summary: 'Create a merchant',
    description: 'With its test and its live book. Without `fees` its transfers cost nothing.',
    schema: { body: MerchantBody, data: { 201: StaffMerchant } },
    async handle({ caller: { actor }, body = new Map() }) {
      const merchant = await createMerchant(deps, { actor, ...readMerchant(body) });
      return { status: 201, message: 'Merchant created', data: renderMerchant(merchant) };
    },
  });
}

function readMerchant(body: JsonObject) {
  const read = createStaffReader(body, Object.keys(MerchantBody.properties));
  const name = read.text('name', (text) => readName(text, 'merchant'));
  const given = body.get('fees') ?? null;
  if (given !== null && !(given instanceof Map)) {
    read.problem('fees', 'INVALID_TEXT', 'An object with fixed and percent.');
  }
  const cell = read.optionalText('cell', (text) => text, null);
  if (typeof cell === 'string' && !isCellName(cell)) {
    read.problem('cell', 'INVALID_TEXT', `1 to ${CELL_LENGTH_MAX} characters.`);
  }
  const texts = read.checked({ name, cell });
  const checked = { name: texts.name, cell: texts.cell ?? undefined };
  if (!(given instanceof Map)) return { ...checked, feeTerms: NO_FEES };
  const fees = createStaffReader(given, Object.keys(FeesBody.properties));
  return { ...checked, feeTerms: fees.checked(readFees(fees, ['fixed', 'percent'])) };
}

function isCellName(text: string): boolean {
  return text !== '' && checkPlainText(text, { codePointsMax: CELL_LENGTH_MAX }) === 'ok';
}
