import { defineOperation } from '../operation.ts';
import * as shapes from './shapes.ts';

export const listModels = defineOperation({
  operationId: 'listModels',
  surface: 'api',
  method: 'GET',
  path: '/models',
  tag: 'Models',
  summary: 'List the models that can be run here',
  description:
    "The hosted models of the operator and of the caller's organizations, which run without a key of the caller, and the providers this service can speak to. proofmark/lexical-1 is always among them.",
  access: 'account',
  status: 200,
  output: shapes.ModelList,
});
