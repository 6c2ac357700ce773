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
  summary: 'Read the overview for the home page',
  description:
    'Over all projects that the caller can see: failing suites, decisions to make, runs in progress and the latest runs. Long lists are cut; the totals count everything.',
  access: 'account',
  query: z.strictObject({
    projectId: Id.optional().meta({
      description: 'Only this project, with the latest run of each of its first 100 suites.',
    }),
  }),
  status: 200,
  output: shapes.Home,
});
