/** All rows, by operationId. The actions, the client and the tests are typed by these keys. */
import * as apiKeys from './api-keys/operations.ts';
import * as catalog from './catalog/operations.ts';
import * as evalIngest from './eval-ingest/operations.ts';
import * as evalRuns from './eval-runs/operations.ts';
import * as evalSuites from './eval-suites/operations.ts';
import * as gateWaivers from './gate-waivers/operations.ts';
import type { Operation } from './operation.ts';
import * as diagnostics from './servers/diagnostic-operations.ts';
import * as servers from './servers/operations.ts';
import * as signIn from './sign-in/operations.ts';

export const actionOperations = {
  ...catalog,
  ...servers,
  ...diagnostics,
  ...evalSuites,
  ...evalRuns,
  ...gateWaivers,
  ...evalIngest,
  ...apiKeys,
};
export const signInOperations = { ...signIn };
export const operations = { ...actionOperations, ...signInOperations };

export type ActionOperationId = keyof typeof actionOperations;
export type SignInOperationId = keyof typeof signInOperations;
export type OperationId = keyof typeof operations;

export const allOperations: readonly Operation[] = Object.values(operations);
