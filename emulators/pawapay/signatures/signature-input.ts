/** One member of Signature-Input: the covered components and the parameters. */
export type SignatureInput = Readonly<{
  components: readonly string[];
  parameters: ReadonlyMap<string, string | number>;
  /** The raw text, which the last line of the signature base repeats byte by byte. */
  written: string;
}>;

const INNER_LIST = /^\( *((?:"[^"\\]*" *)*)\)(.*)$/;
const COMPONENT = /"([^"\\]*)"/g;
const PARAMETER = /; *([a-z*][a-z0-9_.*-]*)=(?:"([^"\\]*)"|(-?\d{1,15}))/y;

/** Undefined when it is not an inner list of plain names with string and integer parameters. */
export function readSignatureInput(written: string): SignatureInput | undefined {
  const [, list, tail] = INNER_LIST.exec(written) ?? [];
  if (list === undefined || tail === undefined) return undefined;
  const components = [...list.matchAll(COMPONENT)].map(([, name]) => name ?? '');
  if (new Set(components).size !== components.length) return undefined;
  const parameters = readParameters(tail);
  return parameters && { components, parameters, written };
}

function readParameters(tail: string): ReadonlyMap<string, string | number> | undefined {
  const parameters = new Map<string, string | number>();
  PARAMETER.lastIndex = 0;
  let read = 0;
  while (read < tail.length) {
    const match = PARAMETER.exec(tail);
    if (match === null) return undefined;
    const [, name = '', text, integer] = match;
    parameters.set(name, text ?? Number(integer));
    read = PARAMETER.lastIndex;
  }
  return parameters;
}
