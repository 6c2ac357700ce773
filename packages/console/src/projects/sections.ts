/** What the address of a project's page says: the section, and whether archived environments are shown in it. */
export const projectSections = [
  'overview',
  'playground',
  'evals',
  'swarms',
  'user-testing',
  'clients',
  'environments',
  'server-groups',
  'skills',
  'plugins',
  'agent',
] as const;
export type ProjectSection = (typeof projectSections)[number];

export interface ProjectSearch {
  readonly section?: Exclude<ProjectSection, 'overview'>;
  readonly archived?: true;
}

export function readProjectSearch(search: Readonly<Record<string, unknown>>): ProjectSearch {
  const section = projectSections.find((one) => one === search['section']);
  if (section === undefined || section === 'overview') return {};
  const isArchived = section === 'environments' && search['archived'] === true;
  return { section, ...(isArchived && { archived: true }) };
}

export const projectSectionNames: Readonly<Record<ProjectSection, string>> = {
  overview: 'Overview',
  playground: 'Playground',
  evals: 'Evals',
  swarms: 'Swarms',
  'user-testing': 'User testing',
  clients: 'Clients',
  environments: 'Environments',
  'server-groups': 'Server groups',
  skills: 'Skills',
  plugins: 'Plugins',
  agent: 'Agent',
};
