/**
 * Parameters in the address of a server's page: the section and the chosen item. The first section
 * is the most used one.
 */
export const sections = ['tools', 'prompts', 'resources', 'doctor', 'lint', 'settings'] as const;
export type Section = (typeof sections)[number];

export interface ServerSearch {
  readonly section?: Section;
  readonly item?: string;
}

export function readServerSearch(search: Readonly<Record<string, unknown>>): ServerSearch {
  const section = sections.find((one) => one === search['section']);
  if (section === undefined) return {};
  const item = search['item'];
  return { section, ...(item !== undefined && item !== '' && { item: String(item) }) };
}
