const LOOPBACK_HOSTS = /^(?:localhost|127\.[0-9.]+|\[::1\])$/;

/** Whether a URL points to this machine. */
export function isOnThisMachine(address: string): boolean {
  return LOOPBACK_HOSTS.test(URL.parse(address)?.hostname ?? '');
}

/**
 * The problems of an operator's base URL, each naming its field. Credentials and payouts are sent to it, so it must be
 * https, except to this machine.
 */
export function baseUrlProblems(field: string, baseUrl: string): readonly string[] {
  const url = URL.parse(baseUrl);
  if (url === null) return [`${field}: not an absolute URL`];
  const problems: string[] = [];
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOnThisMachine(baseUrl))) {
    problems.push(`${field}: must begin with https://`);
  }
  if (url.username !== '' || url.password !== '') {
    problems.push(`${field}: must hold no user and no password`);
  }
  if (url.search !== '' || url.hash !== '') problems.push(`${field}: must end with its path`);
  return problems;
}
