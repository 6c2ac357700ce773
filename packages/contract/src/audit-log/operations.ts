import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const listAuditLog = defineOperation({
  operationId: 'listAuditLog',
  surface: 'console',
  method: 'GET',
  path: '/organizations/{organizationId}/audit-log',
  tag: 'Audit log',
  summary: 'Read the audit log of an organization',
  description:
    'Newest first. Only owners and admins may read it. Filters: the kind of action, the actor (an e-mail address), the id of the changed resource, and the time (since inclusive, until exclusive).',
  access: 'account',
  query: shapes.AuditLogQuery,
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.AuditLogPage,
});
