/** What the address of a server's page says: the section, and the tool, prompt or resource chosen in it. */
export const sections = ['overview', 'doctor', 'tools', 'prompts', 'resources'] as const;
export type Section = (typeof sections)[number];

export interface ServerSearch {
  readonly section?: Exclude<Section, 'overview'>;
  readonly item?: string;
}

export function readServerSearch(search: Readonly<Record<string, unknown>>): ServerSearch {
  const section = sections.find((one) => one === search['section']);
  if (section === undefined || section === 'overview') return {};
  const item = search['item'];
  return { section, ...(item !== undefined && item !== '' && { item: String(item) }) };
}
