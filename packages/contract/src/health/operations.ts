import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const getHealth = defineOperation({
  operationId: 'getHealth',
  surface: 'console',
  method: 'GET',
  path: '/health',
  tag: 'Installation',
  summary: 'Read how the installation is',
  description:
    'For owners and admins of the first organization alone: it speaks of all organizations together.',
  access: 'account',
  status: 200,
  output: shapes.Health,
});
