const OWN_PATH = /^\/console(?:\/[^\\]*)?$/;

/**
 * Where to go after sign-in. Only paths of the console are taken: an address of another host, also one that hides in
 * `//host` or a backslash, would send a person who just signed in to a stranger's page.
 */
export function readReturnTo(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || !OWN_PATH.test(text)) return undefined;
  const base = 'http://own.invalid';
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return undefined;
  }
  const path = `${url.pathname}${url.search}${url.hash}`;
  if (url.origin !== base || !OWN_PATH.test(url.pathname)) return undefined;
  // Sign-in as its own goal would show it again.
  return url.pathname.startsWith('/console/sign-in') ? undefined : path;
}
