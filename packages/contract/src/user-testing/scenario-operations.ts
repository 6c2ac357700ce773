import { defineOperation } from '../operation.ts';
import * as shapes from './scenario-shapes.ts';

const tag = 'User testing';
const readPath = '/projects/{projectId}/scenarios';
const publishPath = '/projects/{projectId}/environments/{environmentId}/scenario';
const path = '/projects/{projectId}/user-testing/scenarios/{scenarioId}';

export const listScenarios = defineOperation({
  operationId: 'listScenarios',
  surface: 'api',
  method: 'GET',
  path: readPath,
  tag,
  summary: 'List the published scenarios of a project',
  description: 'Newest first, without unpublished ones. Empty while user testing is switched off.',
  access: 'member',
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.ScenarioPage,
});

export const getScenario = defineOperation({
  operationId: 'getScenario',
  surface: 'api',
  method: 'GET',
  path: `${readPath}/{scenarioId}`,
  tag,
  summary: 'Read what a scenario plays now',
  description:
    'As its environment resolves at this moment. Answered too where it does not resolve: environmentError then says why.',
  access: 'member',
  status: 200,
  output: shapes.ScenarioDetail,
});

export const publishScenario = defineOperation({
  operationId: 'publishScenario',
  surface: 'api',
  method: 'PUT',
  path: publishPath,
  tag,
  summary: 'Publish an environment as a scenario',
  description:
    'Again: the same scenario, 200 and created false; what was sent then counts for nothing. 409 where the environment is archived, does not resolve or runs a program on the host. Needs admin.',
  access: 'admin',
  feature: 'user-testing',
  body: shapes.ScenarioPublishRequest,
  status: 201,
  statusIfThere: 200,
  output: shapes.Scenario,
  refusals: ['CONFLICT'],
});

export const unpublishScenario = defineOperation({
  operationId: 'unpublishScenario',
  surface: 'api',
  method: 'DELETE',
  path: publishPath,
  tag,
  summary: 'Unpublish the scenario of an environment',
  description:
    'Its link is dead and its visitors are out with the answer. Publishing again makes a new one. Needs admin, and no feature to be on.',
  access: 'admin',
  status: 200,
  output: shapes.ScenarioDeleted,
});

export const getUserTestingScenario = defineOperation({
  operationId: 'getUserTestingScenario',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'Read a scenario',
  description: 'Unpublished ones are not found.',
  access: 'member',
  status: 200,
  output: shapes.UserTestingScenarioDetail,
});

export const updateUserTestingScenario = defineOperation({
  operationId: 'updateUserTestingScenario',
  surface: 'api',
  method: 'PATCH',
  path,
  tag,
  summary: 'Edit a scenario, or change who may open it',
  description:
    'A narrower mode turns away those whom it does not let in. Needs manage, and admin to open it wider.',
  access: 'manage',
  feature: 'user-testing',
  body: shapes.ScenarioUpdateRequest,
  status: 200,
  output: shapes.UserTestingScenario,
});

export const rotateScenarioLink = defineOperation({
  operationId: 'rotateScenarioLink',
  surface: 'api',
  method: 'POST',
  path: `${path}/rotate-link`,
  tag,
  summary: 'Give a scenario a new link',
  description: 'The old one is dead with the answer. Who got in by it stays in. Needs manage.',
  access: 'manage',
  feature: 'user-testing',
  body: shapes.ScenarioRotateRequest,
  status: 200,
  output: shapes.ScenarioLinkRotated,
});

export const rebindScenario = defineOperation({
  operationId: 'rebindScenario',
  surface: 'api',
  method: 'POST',
  path: `${path}/rebind`,
  tag,
  summary: 'Point a scenario at another environment',
  description:
    'Link, members and sessions stay; the next message is played on the new one. 409 where that one is archived, published already, does not resolve or runs a program on the host. Needs admin.',
  access: 'admin',
  feature: 'user-testing',
  body: shapes.ScenarioRebindRequest,
  status: 200,
  output: shapes.Scenario,
  refusals: ['CONFLICT'],
});
