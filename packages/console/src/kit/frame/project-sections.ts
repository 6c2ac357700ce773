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
  'settings',
] as const;
export type ProjectSection = (typeof projectSections)[number];

/** Sections for setting up tests. They share one heading, but each has an address. */
export const setUpSections = [
  'environments',
  'clients',
  'server-groups',
  'skills',
  'plugins',
] as const satisfies readonly ProjectSection[];
export type SetUpSection = (typeof setUpSections)[number];

export function isSetUp(section: ProjectSection | undefined): section is SetUpSection {
  return setUpSections.some((one) => one === section);
}

/** Sections in the main row of a project's page. `environments` stands for all set-up sections. */
export const mainSections = [
  'overview',
  'playground',
  'evals',
  'swarms',
  'user-testing',
  'environments',
  'agent',
  'settings',
] as const satisfies readonly ProjectSection[];

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
  settings: 'Settings',
};

/** Sections with an accent colour of their own, which all their pages share. */
const families: readonly ProjectSection[] = ['evals', 'swarms', 'user-testing'];

export function familyOf(section: ProjectSection): string | undefined {
  return families.includes(section) ? section : undefined;
}
