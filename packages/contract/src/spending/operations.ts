import * as z from 'zod';
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

const dayProblem = 'Write a day such as 2026-03-04.';

export const getOrganizationSpending = defineOperation({
  operationId: 'getOrganizationSpending',
  surface: 'console',
  method: 'GET',
  path: '/organizations/{organizationId}/spending',
  tag: 'Spending',
  summary: 'Read the limits and the spending of an organization',
  description:
    'Only for owners and admins: every limit with the amount left today, and the cost of models on one day.',
  access: 'account',
  query: z.strictObject({
    day: z.iso
      .date(dayProblem)
      // Rejects the year 0, which the database's calendar does not have.
      .refine((day) => day >= '0001', dayProblem)
      .optional()
      .meta({ description: 'A UTC day (default: today).' }),
  }),
  status: 200,
  output: shapes.OrganizationSpending,
});
