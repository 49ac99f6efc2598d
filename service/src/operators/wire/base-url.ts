const LOOPBACK_HOSTS = /^(?:localhost|127\.[0-9.]+|\[::1\])$/;

/** Whether an address is one of this machine itself. */
export function leadsHere(address: string): boolean {
  return LOOPBACK_HOSTS.test(URL.parse(address)?.hostname ?? '');
}

/**
 * What is wrong with the address of an operator, as problems that name their field. Credentials and
 * payouts travel on it, so it is https, except to this machine itself.
 */
export function baseUrlProblems(field: string, baseUrl: string): readonly string[] {
  const url = URL.parse(baseUrl);
  if (url === null) return [`${field}: not an absolute URL`];
  const problems: string[] = [];
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && leadsHere(baseUrl))) {
    problems.push(`${field}: must begin with https://`);
  }
  if (url.username !== '' || url.password !== '') {
    problems.push(`${field}: must hold no user and no password`);
  }
  if (url.search !== '' || url.hash !== '') problems.push(`${field}: must end with its path`);
  return problems;
}
