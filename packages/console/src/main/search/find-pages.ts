import {
  mayManageRole,
  type OrganizationRole,
  type ProjectTier,
  tierAllows,
} from '@proofmark/domain';
import {
  type ProjectSection,
  projectSectionNames,
  projectSections,
} from '../../kit/frame/project-sections.ts';
import type { SearchItem } from './rank-items.ts';

export function pagesOfAll(operatesInstallation: boolean): SearchItem[] {
  const to = (href: string, name: string, words = '', kind = 'go to') => ({
    href,
    kind,
    name,
    words,
  });
  return [
    to('/', 'Home', 'start overview red failing'),
    to('/projects', 'Projects'),
    to('/projects/new', 'New project', 'create add', 'do'),
    to('/api-keys', 'API keys', 'tokens secrets access'),
    to('/organizations', 'People and settings', 'organizations members administration'),
    to('/account', 'Account', 'password profile email sign out log out'),
    ...(operatesInstallation ? [to('/health', 'Health', 'installation status workers queue')] : []),
    to('/reference', 'Reference of the API', 'documentation docs operations openapi'),
  ];
}

export function pagesOfOrganization(organization: {
  readonly id: string;
  readonly name: string;
  readonly myRole: OrganizationRole;
}): SearchItem[] {
  const { id, name: place, myRole } = organization;
  if (!mayManageRole(myRole, 'member')) return [];
  const to = (path: string, name: string, words: string) => ({
    href: `/organizations/${id}/${path}`,
    kind: 'go to',
    name,
    place,
    words,
  });
  return [
    to('members', 'Members', 'people users team roles invite invitation'),
    ...(mayManageRole(myRole, 'owner')
      ? [to('models', 'Models', 'model providers openai anthropic')]
      : []),
    to('spending', 'Limits and spending', 'costs budget credits money usage quota'),
    to('retention', 'Retention', 'storage data removed kept age'),
    to('audit-log', 'Audit log', 'history who changed what'),
  ];
}

const sectionWords: Partial<Record<ProjectSection, string>> = {
  playground: 'chats conversations talk try',
  evals: 'suites tests cases runs evaluations',
  swarms: 'personas journeys waves simulated users',
  'user-testing': 'scenarios visitors guests sessions',
  clients: 'set-up hosts',
  environments: 'set-up settings configurations',
  'server-groups': 'set-up attachments',
  skills: 'set-up',
  plugins: 'set-up',
  agent: 'assistant ask help',
};

export function pagesOfProject(project: {
  readonly id: string;
  readonly name: string;
  readonly role: ProjectTier;
}): SearchItem[] {
  const { id, name: place, role } = project;
  const at = (path: string, name: string, kind = 'do', words = 'create add') => ({
    href: `/projects/${id}${path}`,
    kind,
    name,
    place,
    words,
  });
  return [
    ...projectSections
      .filter((section) => section !== 'overview')
      .map((section) =>
        at(`?section=${section}`, projectSectionNames[section], 'go to', sectionWords[section]),
      ),
    ...(tierAllows(role, 'member') ? [at('/suites/new', 'New suite')] : []),
    ...(tierAllows(role, 'manage')
      ? [at('/servers/new', 'Add a server'), at('/clients/new', 'New client')]
      : []),
    ...(tierAllows(role, 'admin') ? [at('/environments/new', 'New environment')] : []),
  ];
}
