export type ZamtelCredentials = Readonly<{
  thirdPartyId: string;
  /** As issued: already encrypted, in base64, with characters that must be percent-encoded in a query. */
  password: string;
  shortcode: string;
  identifier: string;
  credential: string;
}>;

export type ZamtelSettings = Readonly<{
  credentials: ZamtelCredentials;
  /** `/ZampayRest` is the operator's test installation, `/ZampayRestProd` the real one. */
  basePath: string;
  /** The member that carries the code. Clients of the real operator read either. */
  statusField: 'status' | 'StatusCode';
  /** `number`: codes that consist of digits are JSON numbers instead of strings. */
  statusAs: 'text' | 'number';
  amountMinorMin: bigint;
  amountMinorMax: bigint;
  /** Source addresses that may call; null allows all. */
  addressesAllowed: readonly string[] | null;
}>;

export type ZamtelChoices = Partial<Omit<ZamtelSettings, 'credentials'>> &
  Readonly<{ credentials?: Partial<ZamtelCredentials> }>;

/** Public, because nothing here is worth protecting. */
const CREDENTIALS: ZamtelCredentials = {
  thirdPartyId: 'Kafue_Caller',
  password: 'ZW11bGF0ZWQ/cGFzc3dvcmQ+b2Y+emFtdGVs/+8=',
  shortcode: '000079',
  identifier: 'kafueoperator',
  credential: 'ZW11bGF0ZWQ+Y3JlZGVudGlhbA/+bw==',
};

export function chooseZamtelSettings(choices: ZamtelChoices): ZamtelSettings {
  const { credentials = {}, ...others } = choices;
  return {
    basePath: '/ZampayRestProd',
    statusField: 'status',
    statusAs: 'text',
    amountMinorMin: 1n,
    amountMinorMax: 10_000_000n,
    addressesAllowed: null,
    ...others,
    credentials: { ...CREDENTIALS, ...credentials },
  };
}
