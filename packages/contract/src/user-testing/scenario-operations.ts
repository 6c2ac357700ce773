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
  summary: 'Read the current environment of a scenario',
  description:
    'The environment as it resolves now. If it does not resolve, environmentError has the reason.',
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
    'If the environment is already published, the answer is 200 with the same scenario and created: false, and the other fields of the request are ignored. 409 if the environment is archived, does not resolve, or runs a program on the host. Needs admin.',
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
    'Its link stops working and its visitors lose access at once. Publishing again creates a new scenario. Needs admin; works even if user testing is switched off.',
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
  description: '404 for an unpublished scenario.',
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
  summary: 'Edit a scenario or its access mode',
  description:
    'A narrower mode removes the visitors that it does not allow. Needs manage; a wider mode needs admin.',
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
  summary: 'Replace the link of a scenario',
  description:
    'The old link stops working at once. Admitted visitors keep their access. Needs manage.',
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
  summary: 'Move a scenario to another environment',
  description:
    'The link, the members and the sessions stay; the next message uses the new environment. 409 if the new environment is archived, already published, does not resolve, or runs a program on the host. Needs admin.',
  access: 'admin',
  feature: 'user-testing',
  body: shapes.ScenarioRebindRequest,
  status: 200,
  output: shapes.Scenario,
  refusals: ['CONFLICT'],
});
