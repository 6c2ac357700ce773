import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const listAuditLog = defineOperation({
  operationId: 'listAuditLog',
  surface: 'console',
  method: 'GET',
  path: '/organizations/{organizationId}/audit-log',
  tag: 'Audit log',
  summary: 'Read who did what in an organization',
  description:
    'Newest first, for its owners and admins. By kind, by actor (an e-mail address), by the id of what was touched, and by time: since is included, until is not.',
  access: 'account',
  query: shapes.AuditLogQuery,
  page: { defaultLimit: 50, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.AuditLogPage,
});
