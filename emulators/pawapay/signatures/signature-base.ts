import type { SignatureInput } from './signature-input.ts';

/** What of an HTTP request can be covered by a signature. Header names are in lower case. */
export type SignedMessage = Readonly<{
  method: string;
  /** Host and, unless it is the scheme's own, port. */
  authority: string;
  /** Without the query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
}>;

/** The text that is signed; undefined when a covered component is not there to be signed. */
export function signatureBase(
  { components, written }: Pick<SignatureInput, 'components' | 'written'>,
  message: SignedMessage,
): string | undefined {
  const lines: string[] = [];
  for (const component of components) {
    const value = componentValue(component, message);
    if (value === undefined) return undefined;
    lines.push(`"${component}": ${value}`);
  }
  return [...lines, `"@signature-params": ${written}`].join('\n');
}

function componentValue(component: string, message: SignedMessage): string | undefined {
  switch (component) {
    case '@method':
      return message.method.toUpperCase();
    case '@authority':
      return message.authority.toLowerCase();
    case '@path':
      return message.path;
    default:
      return Object.hasOwn(message.headers, component)
        ? message.headers[component]?.trim()
        : undefined;
  }
}
