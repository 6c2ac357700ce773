import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const getOrganizationRetention = defineOperation({
  operationId: 'getOrganizationRetention',
  surface: 'console',
  method: 'GET',
  path: '/organizations/{organizationId}/retention',
  tag: 'Retention',
  summary: 'Read how long an organization keeps its data',
  description: 'Only for owners and admins. The operator of the installation sets the rules.',
  access: 'account',
  status: 200,
  output: shapes.OrganizationRetention,
});
