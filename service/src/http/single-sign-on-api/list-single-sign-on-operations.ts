import { Refusal } from '../../domain/refusal.ts';
import {
  beginSingleSignOn,
  finishSingleSignOn,
  type SingleSignOnDeps,
} from '../../people/single-sign-on/single-sign-on.ts';
import { SingleSignOnQuery } from '../schemas/single-sign-on-schema.ts';
import type { ApiRequest, PublicOperation } from '../server/api-operation.ts';
import type { ConsoleOrigin } from '../server/console-origin.ts';
import { sessionCookie } from '../server/session-cookie.ts';
import { originOf } from '../session-api/begin-session.ts';
import { readReturnTo } from './read-return-to.ts';
import { readSignOnCookie, signOnCookie } from './sign-on-cookie.ts';

const BEGIN = '/single-sign-on';
const CALLBACK = `${BEGIN}/callback`;
const CALLBACK_PATH = `/api/v1/session${CALLBACK}`;

/** For each network and each of the two calls: enough for an office in the morning. */
const RATE_LIMIT = { burst: 60, perSecond: 1 };

export type SingleSignOnApiDeps = SingleSignOnDeps & Readonly<{ consoleOrigin: ConsoleOrigin }>;

export function listSingleSignOnOperations(deps: SingleSignOnApiDeps): readonly PublicOperation[] {
  return [beginSingleSignOnOperation(deps), finishSingleSignOnOperation(deps)];
}

function beginSingleSignOnOperation(deps: SingleSignOnApiDeps): PublicOperation {
  return {
    method: 'GET',
    path: BEGIN,
    operationId: 'beginSingleSignOn',
    tag: 'Session',
    rateLimit: RATE_LIMIT,
    answersWith: 'redirect',
    summary: 'Sign in at the issuer',
    description: 'For browsers: sends them to the issuer of single sign-on.',
    schema: { querystring: SingleSignOnQuery, data: {} },
    async handle(request) {
      const returnTo = readReturnTo(request.query);
      const redirectUri = deps.consoleOrigin(request) + CALLBACK_PATH;
      const { location, token } = await beginSingleSignOn(deps, { redirectUri, returnTo });
      return { status: 302, location, headers: { 'set-cookie': signOnCookie(token, request) } };
    },
  };
}

function finishSingleSignOnOperation(deps: SingleSignOnApiDeps): PublicOperation {
  return {
    method: 'GET',
    path: CALLBACK,
    operationId: 'finishSingleSignOn',
    tag: 'Session',
    rateLimit: RATE_LIMIT,
    answersWith: 'redirect',
    summary: 'Come back from the issuer',
    description:
      'For browsers: the issuer sends them here. Sets the session cookie and sends them on to the console.',
    schema: { data: {} },
    async handle(request) {
      const answer = new URL(deps.consoleOrigin(request) + CALLBACK_PATH);
      answer.search = request.query.toString();
      try {
        const { token, returnTo } = await finishSingleSignOn(deps, {
          answer,
          token: readSignOnCookie(request.header('cookie'), request),
          start: originOf(request),
        });
        const headers = { 'set-cookie': sessionCookie(token, request) };
        return { status: 302, location: returnTo, headers };
      } catch (error) {
        if (!(error instanceof Refusal) || !readsPages(request)) throw error;
        return { status: 302, location: `${SIGN_IN_PAGE}?refused=${error.code}` };
      }
    },
  };
}

/** The sign-in page says what the code means: a browser would show a person the error's JSON. */
const SIGN_IN_PAGE = '/console/sign-in';

function readsPages({ header }: Pick<ApiRequest, 'header'>): boolean {
  return header('accept')?.includes('text/html') === true;
}
