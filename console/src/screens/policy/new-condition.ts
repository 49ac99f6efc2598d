import type { ConditionName, PolicyConditions } from '../../api/policy-types.ts';

/** What a condition begins with when it is added. */
export function newCondition(name: ConditionName): PolicyConditions {
  const begin: Required<PolicyConditions> = {
    amountAtLeast: '5000.00',
    amountBelow: '10.00',
    sum: { by: 'wallet', day: true, above: '100000.00' },
    count: { by: 'recipient', window: 'PT1H', above: 3 },
    firstPayment: true,
    nameMatch: ['mismatch'],
    similarWithin: 'PT24H',
    source: ['api'],
    hours: { zone: 'Africa/Lusaka', from: '18:00', to: '06:00' },
    operator: ['mtn'],
    country: ['zm'],
    wallet: [],
    key: [],
    metadata: {},
    onAllowList: false,
  };
  return { [name]: begin[name] };
}
