/** `WALLET_FUNDED` is read as "Wallet funded". */
export function nameKind(kind: string): string {
  const words = kind.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
