import type { SignatureInput } from './signature-input.ts';

/** The parts of an HTTP request that a signature can cover. Header names are in lower case. */
export type SignedMessage = Readonly<{
  method: string;
  /** Host, and port unless it is the scheme's default. */
  authority: string;
  /** Without the query. */
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
}>;

/** The text that is signed; undefined when a covered component is missing. */
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
