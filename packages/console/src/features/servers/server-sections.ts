/**
 * The parameters in the address of a server's page: the section and the item chosen in it. The
 * first section is the one used most.
 */
export const sections = ['tools', 'prompts', 'resources', 'doctor', 'lint', 'settings'] as const;
export type Section = (typeof sections)[number];

export interface ServerSearch {
  /** The section of the page (default: the first one). */
  readonly section?: Section;
  readonly item?: string;
}

export function readServerSearch(search: Readonly<Record<string, unknown>>): ServerSearch {
  const section = sections.find((one) => one === search['section']);
  if (section === undefined) return {};
  const item = search['item'];
  return { section, ...(item !== undefined && item !== '' && { item: String(item) }) };
}
