/**
 * The secret that signs requests to a project's own scorers (HTTP programs that score trials). Only
 * signed-in project admins can use these operations, never API keys.
 */
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const common = {
  surface: 'console',
  path: '/projects/{projectId}/scorer-secret',
  tag: 'Own scorers',
  access: 'admin',
} as const;

export const getScorerSecret = defineOperation({
  ...common,
  operationId: 'getScorerSecret',
  method: 'GET',
  summary: 'Read whether a project has a scorer secret',
  description: 'Also returns when it was created. The secret itself is not returned again.',
  status: 200,
  output: shapes.ScorerSecretState,
});

export const rotateScorerSecret = defineOperation({
  ...common,
  operationId: 'rotateScorerSecret',
  method: 'POST',
  summary: 'Create or replace the scorer secret of a project',
  description:
    'The value is returned only in this answer. The previous secret signs no more requests, not even those of runs in progress.',
  status: 201,
  output: shapes.ScorerSecretMade,
});
