import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Plugins';
const path = '/projects/{projectId}/plugins';

export const listProjectPlugins = defineOperation({
  operationId: 'listProjectPlugins',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the plugins of a project',
  description: 'Oldest first.',
  access: 'member',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.PluginPage,
});

export const createPlugin = defineOperation({
  operationId: 'createPlugin',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a plugin',
  description:
    'Creates its first version from servers and skills of the project. Names are unique in a project. Needs manage.',
  access: 'manage',
  body: shapes.PluginCreateRequest,
  status: 201,
  output: shapes.PluginDetail,
  refusals: ['CONFLICT'],
});

export const getPlugin = defineOperation({
  operationId: 'getPlugin',
  surface: 'api',
  method: 'GET',
  path: `${path}/{pluginId}`,
  tag,
  summary: 'Read a plugin',
  description: 'Whole.',
  access: 'member',
  status: 200,
  output: shapes.PluginDetail,
});

export const deletePlugin = defineOperation({
  operationId: 'deletePlugin',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{pluginId}`,
  tag,
  summary: 'Delete a plugin',
  description: '409 while an environment that is not archived uses it. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.PluginDeleted,
  refusals: ['CONFLICT'],
});

export const createPluginVersion = defineOperation({
  operationId: 'createPluginVersion',
  surface: 'api',
  method: 'POST',
  path: `${path}/{pluginId}/versions`,
  tag,
  summary: 'Create a new version of a plugin',
  description:
    'It becomes the active version; environments keep the version that they pin. If an earlier version has the same content, that version is returned. Needs manage.',
  access: 'manage',
  body: shapes.PluginVersionCreateRequest,
  status: 201,
  output: shapes.PluginVersion,
});

export const getPluginVersion = defineOperation({
  operationId: 'getPluginVersion',
  surface: 'api',
  method: 'GET',
  path: '/plugin-versions/{pluginVersionId}',
  tag,
  summary: 'Read a version of a plugin',
  description: 'In any project that the caller can access.',
  access: 'account',
  status: 200,
  output: shapes.PluginVersion,
});
