import * as z from 'zod';
import { Id } from '../fields.ts';
import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const getHome = defineOperation({
  operationId: 'getHome',
  surface: 'console',
  method: 'GET',
  path: '/home',
  tag: 'Home',
  summary: 'Read what a person should know first',
  description:
    'Over all projects that the caller may see: what is red, what needs a decision, what runs and what ran last. Lists are cut; their totals are not.',
  access: 'account',
  query: z.strictObject({
    projectId: Id.optional().meta({
      description: 'Of this project alone, with the latest run of each of its first 100 suites.',
    }),
  }),
  status: 200,
  output: shapes.Home,
});
