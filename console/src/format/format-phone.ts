/** How people of a country say a number, after the country's code. */
const GROUPS: readonly Readonly<{ code: string; groups: readonly number[] }>[] = [
  { code: '260', groups: [2, 3, 4] },
  { code: '234', groups: [3, 3, 4] },
  { code: '255', groups: [3, 3, 3] },
  { code: '243', groups: [3, 3, 3] },
  { code: '250', groups: [3, 3, 3] },
  { code: '256', groups: [3, 3, 3] },
  { code: '265', groups: [3, 3, 3] },
];

/** `+260 97 743 3571`. A masked number keeps its dots: `+260 97 ••• 3571`. Other texts stay as they are. */
export function formatPhone(phone: string): string {
  const country = GROUPS.find(({ code }) => phone.startsWith(`+${code}`));
  if (country === undefined) return phone;
  const rest = phone
    .slice(country.code.length + 1)
    .replaceAll('*', '•')
    .split('');
  if (rest.length !== country.groups.reduce((sum, size) => sum + size, 0)) return phone;
  let from = 0;
  const groups = country.groups.map((size) => {
    from += size;
    return rest.slice(from - size, from).join('');
  });
  return `+${country.code} ${groups.join(' ')}`;
}
