import { SignInMethods } from '../schemas/session-schema.ts';
import type { PublicOperation } from '../server/api-operation.ts';

/** Ways to sign in that depend on how the service was started. */
export type OfferedMethods = Readonly<{ singleSignOn: boolean; demo: boolean }>;

export function listMethodsOperation({
  methods,
}: Readonly<{ methods: OfferedMethods }>): PublicOperation {
  return {
    method: 'GET',
    path: '/methods',
    operationId: 'listSignInMethods',
    tag: 'Session',
    summary: 'List the ways to sign in',
    description: 'What the page for signing in offers.',
    schema: { data: { 200: SignInMethods } },
    handle: async () => ({
      status: 200,
      message: 'Ways to sign in',
      data: { password: true, passkey: true, ...methods },
    }),
  };
}
