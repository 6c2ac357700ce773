import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const getHealth = defineOperation({
  operationId: 'getHealth',
  surface: 'console',
  method: 'GET',
  path: '/health',
  tag: 'Installation',
  summary: 'Read the health of the installation',
  description:
    'Only for owners and admins of the first organization, because it covers all organizations.',
  access: 'account',
  status: 200,
  output: shapes.Health,
});
