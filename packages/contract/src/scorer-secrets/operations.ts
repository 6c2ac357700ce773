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
  description: 'And when it was made. The secret itself is never answered again.',
  status: 200,
  output: shapes.ScorerSecretState,
});

export const rotateScorerSecret = defineOperation({
  ...common,
  operationId: 'rotateScorerSecret',
  method: 'POST',
  summary: 'Make the scorer secret of a project, or another one',
  description:
    'The value is returned this once. The one before it signs nothing from then on, in runs under way neither.',
  status: 201,
  output: shapes.ScorerSecretMade,
});
