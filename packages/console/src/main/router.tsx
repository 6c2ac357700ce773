/**
 * All pages and their addresses. Pages under `signedIn` redirect users without a session to the
 * sign-in page.
 */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as page,
} from '@tanstack/react-router';
import { readAuditSearch } from '../features/accounts/index.ts';
import { SignInPage } from '../features/accounts/pages/sign-in.tsx';
import { readRunSearch, readTrialSearch } from '../features/evals/index.ts';
import { HomePage } from '../features/home/pages/home.tsx';
import { readServerSearch } from '../features/servers/index.ts';
import { readScenarioSearch } from '../features/user-testing/index.ts';
import { readProjectSearch } from '../kit/frame/project-sections.ts';
import { Layout } from './layout.tsx';
import { BrokenPage } from './pages/broken.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { SignedInOnly } from './signed-in-only.tsx';

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundPage,
  errorComponent: BrokenPage,
});
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedInOnly,
});

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: HomePage,
});
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search): { return?: string; error?: string } => ({
    ...(search['return'] !== undefined && { return: String(search['return']) }),
    ...(search['error'] !== undefined && { error: String(search['error']) }),
  }),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: page(() => import('../features/accounts/pages/invitation.tsx'), 'InvitationPage'),
});
const reference = createRoute({
  getParentRoute: () => root,
  path: '/reference',
  component: page(() => import('../features/reference/pages/reference.tsx'), 'ReferencePage'),
});
const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  component: page(() => import('../features/projects/pages/projects.tsx'), 'ProjectsPage'),
});
const newProject = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/new',
  component: page(() => import('../features/projects/pages/new-project.tsx'), 'NewProjectPage'),
});
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  component: page(() => import('./pages/project.tsx'), 'ProjectDetailPage'),
  validateSearch: readProjectSearch,
});
const newServer = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/servers/new',
  component: page(() => import('../features/servers/pages/new-server.tsx'), 'NewServerPage'),
  validateSearch: (search): { kind?: 'program' } =>
    search['kind'] === 'program' ? { kind: 'program' } : {},
});
const server = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/servers/$serverId',
  component: page(() => import('./pages/server.tsx'), 'ServerPage'),
  validateSearch: readServerSearch,
});
const newClient = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/clients/new',
  component: page(() => import('../features/environments/pages/new-client.tsx'), 'NewClientPage'),
  validateSearch: (search): { from?: string } =>
    search['from'] === undefined ? {} : { from: String(search['from']) },
});
const client = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/clients/$clientId',
  component: page(() => import('../features/environments/pages/client.tsx'), 'ClientDetailPage'),
});
const newEnvironment = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/environments/new',
  component: page(
    () => import('../features/environments/pages/new-environment.tsx'),
    'NewEnvironmentPage',
  ),
});
const environment = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/environments/$environmentId',
  component: page(
    () => import('../features/environments/pages/environment.tsx'),
    'EnvironmentDetailPage',
  ),
  validateSearch: (search): { section?: 'preview' } =>
    search['section'] === 'preview' ? { section: 'preview' } : {},
});
const newServerGroup = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/server-groups/new',
  component: page(
    () => import('../features/environments/pages/new-server-group.tsx'),
    'NewServerGroupPage',
  ),
});
const serverGroup = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/server-groups/$groupId',
  component: page(
    () => import('../features/environments/pages/server-group.tsx'),
    'ServerGroupDetailPage',
  ),
});
const newSkill = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/skills/new',
  component: page(() => import('../features/environments/pages/new-skill.tsx'), 'NewSkillPage'),
});
const skill = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/skills/$skillId',
  component: page(() => import('../features/environments/pages/skill.tsx'), 'SkillDetailPage'),
});
const newPlugin = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/plugins/new',
  component: page(() => import('../features/environments/pages/new-plugin.tsx'), 'NewPluginPage'),
});
const plugin = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/plugins/$pluginId',
  component: page(() => import('../features/environments/pages/plugin.tsx'), 'PluginDetailPage'),
});
const chat = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/playground/$chatSessionId',
  component: page(() => import('../features/playground/pages/chat.tsx'), 'ChatPage'),
});
const suite = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/suites/$suiteId',
  component: page(() => import('./pages/suite.tsx'), 'SuitePage'),
});
const newSuite = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/suites/new',
  component: page(() => import('../features/evals/pages/new-suite.tsx'), 'NewSuitePage'),
});
const suiteSettings = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/suites/$suiteId/settings',
  component: page(() => import('../features/evals/pages/suite-settings.tsx'), 'SuiteSettingsPage'),
});
const newCase = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/suites/$suiteId/cases/new',
  component: page(() => import('../features/evals/pages/new-case.tsx'), 'NewCasePage'),
});
const evalCase = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/suites/$suiteId/cases/$caseId',
  component: page(() => import('../features/evals/pages/case.tsx'), 'CasePage'),
});
const run = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/runs/$runId',
  component: page(() => import('../features/evals/pages/run.tsx'), 'RunDetailPage'),
  validateSearch: readRunSearch,
});
const compare = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/runs/$runId/compare/$baseRunId',
  component: page(() => import('../features/evals/pages/compare.tsx'), 'ComparePage'),
  validateSearch: (search): { case?: string } =>
    search['case'] === undefined ? {} : { case: String(search['case']) },
});
const publishedRun = createRoute({
  getParentRoute: () => signedIn,
  path: '/evals/suite/$suiteId/runs/$runId',
  component: page(() => import('../features/evals/pages/published-run.tsx'), 'PublishedRunPage'),
  validateSearch: (search): { project?: string } =>
    search['project'] === undefined ? {} : { project: String(search['project']) },
});
const trial = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/runs/$runId/trials/$trialId',
  component: page(() => import('../features/evals/pages/trial.tsx'), 'TrialDetailPage'),
  validateSearch: readTrialSearch,
});
const newPersona = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/personas/new',
  component: page(() => import('../features/swarms/pages/new-persona.tsx'), 'NewPersonaPage'),
});
const persona = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/personas/$personaId',
  component: page(() => import('../features/swarms/pages/persona.tsx'), 'PersonaDetailPage'),
});
const newSwarm = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/swarms/new',
  component: page(() => import('../features/swarms/pages/new-swarm.tsx'), 'NewSwarmPage'),
});
const swarm = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/swarms/$swarmId',
  component: page(() => import('../features/swarms/pages/swarm.tsx'), 'SwarmDetailPage'),
});
const newJourney = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/journeys/new',
  component: page(() => import('../features/swarms/pages/new-journey.tsx'), 'NewJourneyPage'),
  validateSearch: (search): { swarm?: string; persona?: string } => ({
    ...(search['swarm'] !== undefined && { swarm: String(search['swarm']) }),
    ...(search['persona'] !== undefined && { persona: String(search['persona']) }),
  }),
});
const journey = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/journeys/$journeyId',
  component: page(() => import('../features/swarms/pages/journey.tsx'), 'JourneyDetailPage'),
  validateSearch: (search): { section?: 'settings' } =>
    search['section'] === 'settings' ? { section: 'settings' } : {},
});
const journeyRun = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/journey-runs/$runId',
  component: page(() => import('../features/swarms/pages/journey-run.tsx'), 'JourneyRunPage'),
});
const journeySession = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/journey-runs/$runId/sessions/$sessionId',
  component: page(
    () => import('../features/swarms/pages/journey-session.tsx'),
    'JourneySessionPage',
  ),
});
const wave = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/waves/$waveId',
  component: page(() => import('../features/swarms/pages/wave.tsx'), 'WaveDetailPage'),
  validateSearch: (search): { base?: string } =>
    search['base'] === undefined ? {} : { base: String(search['base']) },
});
const drafts = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/drafts',
  component: page(() => import('../features/swarms/pages/drafts.tsx'), 'DraftsPage'),
  validateSearch: (search): { persona?: string; swarm?: string } => ({
    ...(search['persona'] !== undefined && { persona: String(search['persona']) }),
    ...(search['swarm'] !== undefined && { swarm: String(search['swarm']) }),
  }),
});
const scenario = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/user-testing/$scenarioId',
  component: page(() => import('../features/user-testing/pages/scenario.tsx'), 'ScenarioPage'),
  validateSearch: readScenarioSearch,
});
const visitSession = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/user-testing/$scenarioId/sessions/$sessionId',
  component: page(
    () => import('../features/user-testing/pages/visit-session.tsx'),
    'VisitSessionPage',
  ),
});
const organizations = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations',
  component: page(
    () => import('../features/accounts/pages/organizations.tsx'),
    'OrganizationsPage',
  ),
});
const members = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$organizationId/members',
  component: page(() => import('../features/accounts/pages/members.tsx'), 'MembersPage'),
});
const member = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$organizationId/members/$accountId',
  component: page(() => import('../features/accounts/pages/member.tsx'), 'MemberDetailPage'),
});
const modelProviders = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$organizationId/models',
  component: page(
    () => import('../features/models/pages/model-providers.tsx'),
    'ModelProvidersPage',
  ),
});
const retention = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$organizationId/retention',
  component: page(() => import('../features/spending/pages/retention.tsx'), 'RetentionPage'),
});
const spending = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$organizationId/spending',
  component: page(() => import('../features/spending/pages/spending.tsx'), 'SpendingPage'),
  validateSearch: (search): { day?: string } =>
    search['day'] === undefined ? {} : { day: String(search['day']) },
});
const auditLog = createRoute({
  getParentRoute: () => signedIn,
  path: '/organizations/$organizationId/audit-log',
  component: page(() => import('../features/accounts/pages/audit-log.tsx'), 'AuditLogPage'),
  validateSearch: readAuditSearch,
});
const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/api-keys',
  component: page(() => import('../features/accounts/pages/api-keys.tsx'), 'ApiKeysPage'),
});
const health = createRoute({
  getParentRoute: () => signedIn,
  path: '/health',
  component: page(() => import('../features/health/pages/health.tsx'), 'HealthPage'),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: page(() => import('../features/accounts/pages/account.tsx'), 'AccountPage'),
});

const routeTree = root.addChildren([
  signIn,
  invitation,
  reference,
  signedIn.addChildren([
    home,
    projects,
    newProject,
    project,
    newServer,
    server,
    newClient,
    client,
    newEnvironment,
    environment,
    newServerGroup,
    serverGroup,
    newSkill,
    skill,
    newPlugin,
    plugin,
    chat,
    newSuite,
    suite,
    suiteSettings,
    newCase,
    evalCase,
    run,
    compare,
    publishedRun,
    trial,
    newPersona,
    persona,
    newSwarm,
    swarm,
    newJourney,
    journey,
    journeyRun,
    journeySession,
    wave,
    drafts,
    scenario,
    visitSession,
    organizations,
    members,
    member,
    modelProviders,
    retention,
    spending,
    auditLog,
    apiKeys,
    health,
    account,
  ]),
]);

export function createConsoleRouter() {
  return createRouter({ routeTree, scrollRestoration: true });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
