/**
 * The address of the console where CONSOLE_ORIGIN is not set. By name where it is this machine: browsers keep passkeys
 * for names and not for addresses.
 */
export function consoleOriginAt({ host, port }: Readonly<{ host: string; port: number }>): string {
  const isHere = /^(?:127\.|0\.0\.0\.0$|::1?$)/.test(host);
  return `http://${isHere ? 'localhost' : host}:${port}`;
}
