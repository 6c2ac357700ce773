/** Every page and its address. Pages under `signedIn` lead to the sign-in page when nobody is. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { AccountPage } from './pages/account.tsx';
import { ApiKeysPage } from './pages/api-keys.tsx';
import { BrokenPage } from './pages/broken.tsx';
import { NewProjectPage } from './pages/new-project.tsx';
import { NewServerPage } from './pages/new-server.tsx';
import { NotFoundPage } from './pages/not-found.tsx';
import { ProjectPage } from './pages/project.tsx';
import { ProjectsPage } from './pages/projects.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { Layout } from './parts/layout.tsx';
import { SignedInOnly } from './parts/signed-in-only.tsx';
import { readServerSearch } from './servers/sections.ts';

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

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects', replace: true });
  },
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
const reference = createRoute({
  getParentRoute: () => root,
  path: '/reference',
  component: lazyRouteComponent(() => import('./pages/reference.tsx'), 'ReferencePage'),
});
const projects = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects',
  component: ProjectsPage,
});
const newProject = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/new',
  component: NewProjectPage,
});
const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId',
  component: ProjectPage,
});
const newServer = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/servers/new',
  component: NewServerPage,
});
const server = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$projectId/servers/$serverId',
  component: lazyRouteComponent(() => import('./pages/server.tsx'), 'ServerPage'),
  validateSearch: readServerSearch,
});
const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/api-keys',
  component: ApiKeysPage,
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: AccountPage,
});

const routeTree = root.addChildren([
  start,
  signIn,
  reference,
  signedIn.addChildren([projects, newProject, project, newServer, server, apiKeys, account]),
]);

export function createConsoleRouter() {
  return createRouter({ routeTree, scrollRestoration: true });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
