import type { IssuerSettings } from '../people/single-sign-on/issuer.ts';

/** A host of this machine itself, where plain http is safe. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The origin of the console. Undefined: it is not set, or it is wrong and a problem was added. */
export function readConsoleOrigin(
  text: string | undefined,
  problems: string[],
): string | undefined {
  if (text === undefined) return undefined;
  const url = readSafeUrl(text);
  if (url?.origin === text) return text;
  problems.push(
    'CONSOLE_ORIGIN must be https and a host, without a path, such as https://console.example.com.',
  );
  return undefined;
}

type IssuerVariables = Readonly<
  Record<'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET', string | undefined>
>;

/** The settings of single sign-on. Undefined: it is not set up, or wrong. Problems never repeat the secret. */
export function readIssuer(
  variables: IssuerVariables,
  problems: string[],
): IssuerSettings | undefined {
  const missing = Object.entries(variables).filter(([, value]) => value === undefined);
  const {
    OIDC_ISSUER: text,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
  } = variables;
  if (missing.length === Object.keys(variables).length) return undefined;
  for (const [name] of missing) {
    problems.push(`${name} must be set too: single sign-on needs all OIDC_ variables, or none.`);
  }
  const issuer = text === undefined ? undefined : readSafeUrl(text);
  const isIssuer = issuer !== undefined && issuer.search === '' && issuer.hash === '';
  if (text !== undefined && !isIssuer) {
    problems.push('OIDC_ISSUER must be an https address, such as https://login.example.com.');
  }
  if (!isIssuer || clientId === undefined || clientSecret === undefined) return undefined;
  return { issuer, clientId, clientSecret };
}

/** https, or http to this machine, without a user name. */
function readSafeUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL_HOST.test(url.hostname));
  return isSafe ? url : undefined;
}
