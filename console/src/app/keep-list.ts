/** Which answer stays while another is fetched: that of the same list, for another page or filter of it. */
export function keepList(path: string) {
  return <T>(
    before: T | undefined,
    query: Readonly<{ queryKey: readonly unknown[] }> | undefined,
  ): T | undefined =>
    // The answer of another path belongs to another object and would be shown under a wrong address.
    query?.queryKey[1] === path ? before : undefined;
}
