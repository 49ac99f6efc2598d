import type { Book } from '../../domain/book.ts';
import { MINOR_DIGITS, minorToNumber } from '../../domain/money.ts';
import { currencyOf, OPERATOR_PAIRS } from '../../domain/operator.ts';
import { preferOpen } from '../../operators/routes/choose-route.ts';
import type { Routes } from '../../operators/routes/route.ts';
import { OperatorList } from '../schemas/operator-schema.ts';
import type { ApiOperation } from '../server/api-operation.ts';
import { createQueryReader } from './read-page.ts';

export function listOperatorsOperation({ routes }: Readonly<{ routes: Routes }>): ApiOperation {
  return {
    method: 'GET',
    path: '/operators',
    operationId: 'listOperators',
    tag: 'Operators',
    scope: 'read',
    permission: 'payouts:read',
    summary: 'List operators',
    description:
      'Every pair of operator and country: whether this book can use it, its bounds, and what a transfer costs.',
    schema: { data: { 200: OperatorList } },
    async handle({ caller, query }) {
      createQueryReader(query, []).checked({});
      const items = renderOperators(routes, caller.book);
      return { status: 200, message: 'Operators listed', data: { items } };
    },
  };
}

function renderOperators(routes: Routes, { mode, feeTerms }: Book) {
  const fee = {
    fixed: minorToNumber(feeTerms.fixedMinor),
    basisPoints: feeTerms.basisPoints,
  };
  return OPERATOR_PAIRS.map(({ operator, country }) => {
    const route = preferOpen(routes.list({ mode, operator, country }));
    const bounds = route?.bounds();
    return {
      operator,
      country,
      currency: currencyOf(country),
      available: route !== undefined,
      min: bounds === undefined ? null : minorToNumber(bounds.minMinor),
      max: bounds === undefined ? null : minorToNumber(bounds.maxMinor),
      decimals: bounds?.decimals ?? MINOR_DIGITS,
      fee,
      health: route?.health() ?? 'unknown',
    };
  });
}
