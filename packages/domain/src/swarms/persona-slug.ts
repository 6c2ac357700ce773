export function personaSlug(name: string, taken: ReadonlySet<string>): string {
  const slug = plainSlug(name);
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}

/** `otherwise` is used if no letter of the name is left. */
export function plainSlug(name: string, otherwise = 'persona'): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words?.join('-') ?? otherwise;
}
