import { expect, test } from 'vitest';
import { pagesOfAll, pagesOfOrganization, pagesOfProject } from './find-pages.ts';
import { rankItems } from './rank-items.ts';

const project = { id: 'prj_1', name: 'Default', role: 'admin' } as const;
const organization = { id: 'org_1', name: 'Ours', myRole: 'owner' } as const;
const pages = [
  ...pagesOfProject(project),
  ...pagesOfOrganization(organization),
  ...pagesOfAll(true),
];

test.each([
  ['swarm', '/projects/prj_1?section=swarms'],
  ['personas', '/projects/prj_1?section=swarms'],
  ['audit', '/organizations/org_1/audit-log'],
  ['invite', '/organizations/org_1/members'],
  ['spending', '/organizations/org_1/spending'],
  ['budget', '/organizations/org_1/spending'],
  ['model providers', '/organizations/org_1/models'],
  ['api keys', '/api-keys'],
  ['token', '/api-keys'],
  ['password', '/account'],
  ['chat', '/projects/prj_1?section=playground'],
  ['user testing', '/projects/prj_1?section=user-testing'],
  ['plugins', '/projects/prj_1?section=plugins'],
  ['create suite', '/projects/prj_1/suites/new'],
  ['health', '/health'],
  ['docs', '/reference'],
])('%s finds %s first', (typed, href) => {
  expect(rankItems(pages, typed)[0]?.href).toBe(href);
});

test('pages that somebody may not open are not found', () => {
  const of = (myRole: 'admin' | 'member') => pagesOfOrganization({ ...organization, myRole });
  expect(of('member')).toEqual([]);
  expect(of('admin').map(({ name }) => name)).toEqual([
    ...['Members', 'Limits and spending', 'Retention', 'Audit log'],
  ]);
  expect(pagesOfAll(false).some(({ href }) => href === '/health')).toBe(false);
  const asMember = pagesOfProject({ ...project, role: 'member' });
  expect(asMember.filter(({ kind }) => kind === 'do').map(({ name }) => name)).toEqual([
    'New suite',
  ]);
});
