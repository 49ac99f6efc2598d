const LOOPBACK_HOSTS = /^(?:localhost|127\.[0-9.]+|\[::1\])$/;

/**
 * What is wrong with the address of an operator, as problems that name their field. Credentials and
 * payouts travel on it, so it is https, except to this machine itself.
 */
export function baseUrlProblems(field: string, baseUrl: string): readonly string[] {
  const url = URL.parse(baseUrl);
  if (url === null) return [`${field}: not an absolute URL`];
  const problems: string[] = [];
  const isLoopback = LOOPBACK_HOSTS.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    problems.push(`${field}: must begin with https://`);
  }
  if (url.username !== '' || url.password !== '') {
    problems.push(`${field}: must hold no user and no password`);
  }
  if (url.search !== '' || url.hash !== '') problems.push(`${field}: must end with its path`);
  return problems;
}
