import { expect, test } from 'vitest';
import { Routes } from './routes.ts';

const routes = new Routes();
for (const [method, path] of [
  ['GET', '/projects'],
  ['GET', '/projects/{projectId}'],
  ['DELETE', '/projects/{projectId}'],
  ['GET', '/projects/{projectId}/servers'],
  ['GET', '/projects/default'],
  ['GET', '/projects/{projectId}/servers/{serverId}'],
] as const) {
  routes.add(method, path, () => ({ status: 200, body: `${method} ${path}` }));
}

function find(method: string, path: string) {
  const route = routes.find(method, path);
  const answer = route?.handler(undefined as never) as { body: string } | undefined;
  return route && [answer?.body, route.parameters];
}

test.each([
  ['GET', '/projects', 'GET /projects', {}],
  ['GET', '/projects/prj_1', 'GET /projects/{projectId}', { projectId: 'prj_1' }],
  ['DELETE', '/projects/prj_1', 'DELETE /projects/{projectId}', { projectId: 'prj_1' }],
  ['GET', '/projects/default', 'GET /projects/default', {}],
  ['GET', '/projects/a%20b', 'GET /projects/{projectId}', { projectId: 'a b' }],
  ['GET', '/projects/a%2Fb', 'GET /projects/{projectId}', { projectId: 'a/b' }],
  ['GET', '/projects/%zz', 'GET /projects/{projectId}', { projectId: '%zz' }],
])('%s %s is taken by %s', (method, path, row, parameters) => {
  expect(find(method, path)).toEqual([row, parameters]);
});

test('a literal that leads nowhere gives way to the parameter', () => {
  expect(find('GET', '/projects/default/servers/srv_1')).toEqual([
    'GET /projects/{projectId}/servers/{serverId}',
    { projectId: 'default', serverId: 'srv_1' },
  ]);
});

test.each([
  ['POST', '/projects'],
  ['GET', '/projects/'],
  ['GET', '/Projects'],
  ['GET', '//projects'],
  ['GET', '/projects//servers'],
  ['GET', '/%70rojects'],
  ['GET', ''],
])('%s %s is taken by none', (method, path) => {
  expect(find(method, path)).toBeUndefined();
});
