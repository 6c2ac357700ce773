import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const getOrganizationRetention = defineOperation({
  operationId: 'getOrganizationRetention',
  surface: 'console',
  method: 'GET',
  path: '/organizations/{organizationId}/retention',
  tag: 'Retention',
  summary: 'Read how long an organization stores data',
  description: 'For its owners and admins. Operators of the installation set the rules.',
  access: 'account',
  status: 200,
  output: shapes.OrganizationRetention,
});
