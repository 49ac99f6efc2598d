import type { OverviewReader } from '../../overview/overview-reader.ts';
import { OverviewObject } from '../schemas/overview-schema.ts';
import type { PeopleOperation } from '../server/api-operation.ts';
import { createQueryReader } from './read-page.ts';
import { renderOverview } from './render-overview.ts';

export function getOverviewOperation({
  overview,
}: Readonly<{ overview: OverviewReader }>): PeopleOperation {
  return {
    method: 'GET',
    path: '/overview',
    operationId: 'getOverview',
    tag: 'Transfers',
    permission: 'payouts:read',
    readsPage: true,
    summary: 'Get the state of the book at a glance',
    description:
      'Balances and what is held for, the payouts of today and of 14 days, and what needs a person.',
    schema: { data: { 200: OverviewObject } },
    async handle({ caller: { book }, query }) {
      createQueryReader(query, []).checked({});
      const data = renderOverview(await overview.read(book));
      return { status: 200, message: 'Overview read', data };
    },
  };
}
