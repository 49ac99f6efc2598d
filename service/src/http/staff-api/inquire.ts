import { hideNumber } from '../../domain/hide-number.ts';
import { maskPhoneForStaff } from '../../domain/phone-number.ts';
import { inquireNow } from '../../resolutions/inquire-now.ts';
import { findTransferCell } from '../../transfers/read/find-transfer-cell.ts';
import { pathParameter } from '../schemas/staff-fields.ts';
import { Inquiry } from '../schemas/staff-transfer-schema.ts';
import { renderFound } from './render-staff.ts';
import { inCell, type StaffDeps } from './staff-deps.ts';
import { staffOperation } from './staff-operation.ts';

export function inquireOperation(deps: StaffDeps) {
  return staffOperation({
    method: 'POST',
    path: '/transfers/:id/inquire',
    operationId: 'inquireTransfer',
    permission: 'transfers:inquire',
    rateLimit: { perSecond: 0.5, burst: 10 },
    summary: 'Ask the operator about a transfer now',
    description:
      'While it is `submitted` or `in_doubt`, once in 10 seconds. The answer counts like that to an inquiry of the ' +
      'schedule, and is kept. No answer makes the service submit anything.',
    schema: { params: pathParameter('id', 'The id of the transfer.'), data: { 200: Inquiry } },
    async handle({ caller: { actor }, params }) {
      const id = params['id'] ?? '';
      const cell = await findTransferCell(deps, id);
      const asking = { ...inCell(deps, cell), ask: deps.askIn(cell.name) };
      const { found, reply } = await inquireNow(asking, { actor, id });
      const { outcome, wire } = reply;
      const clean = hideNumber(found.transfer.phone, maskPhoneForStaff);
      return {
        status: 200,
        message: 'The operator was asked',
        data: {
          outcome: outcome.kind,
          answer:
            wire === null
              ? null
              : {
                  request: clean(wire.request),
                  httpStatus: wire.httpStatus,
                  text: clean(wire.answer),
                  elapsedMs: Math.round(wire.elapsedMs),
                  cause: 'cause' in outcome ? clean(outcome.cause) : null,
                },
          transfer: renderFound(found),
        },
      };
    },
  });
}
