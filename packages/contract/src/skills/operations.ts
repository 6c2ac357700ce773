import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const tag = 'Skills';
const path = '/projects/{projectId}/skills';

export const listSkills = defineOperation({
  operationId: 'listSkills',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the skills of a project',
  description: 'Oldest first, without their texts.',
  access: 'member',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.SkillPage,
});

export const createSkill = defineOperation({
  operationId: 'createSkill',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Create a skill',
  description: 'Creates its first version. Names are unique in a project. Needs manage.',
  access: 'manage',
  body: shapes.SkillCreateRequest,
  status: 201,
  output: shapes.SkillDetail,
  refusals: ['CONFLICT'],
});

export const getSkill = defineOperation({
  operationId: 'getSkill',
  surface: 'api',
  method: 'GET',
  path: `${path}/{skillId}`,
  tag,
  summary: 'Read a skill',
  description: 'Whole.',
  access: 'member',
  status: 200,
  output: shapes.SkillDetail,
});

export const deleteSkill = defineOperation({
  operationId: 'deleteSkill',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{skillId}`,
  tag,
  summary: 'Delete a skill',
  description: '409 while an environment that is not archived uses it. Needs manage.',
  access: 'manage',
  status: 200,
  output: shapes.SkillDeleted,
  refusals: ['CONFLICT'],
});

export const createSkillVersion = defineOperation({
  operationId: 'createSkillVersion',
  surface: 'api',
  method: 'POST',
  path: `${path}/{skillId}/versions`,
  tag,
  summary: 'Create a new version of a skill',
  description:
    'Earlier versions remain. A text that equals the latest version creates none. Needs manage.',
  access: 'manage',
  body: shapes.SkillVersionCreateRequest,
  status: 201,
  output: shapes.SkillDetail,
});
