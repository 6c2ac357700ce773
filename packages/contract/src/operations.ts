/**
 * All operations by operationId. The types of the service's actions, the client and the tests are
 * derived from these keys.
 */
import * as agent from './agent/operations.ts';
import * as apiKeys from './api-keys/operations.ts';
import * as auditLog from './audit-log/operations.ts';
import * as catalog from './catalog/operations.ts';
import * as chatSessions from './chat-sessions/operations.ts';
import * as hosts from './clients/host-operations.ts';
import * as clients from './clients/operations.ts';
import * as environments from './environments/operations.ts';
import * as evalIngest from './eval-ingest/operations.ts';
import * as evalRunGroups from './eval-run-groups/operations.ts';
import * as evalRuns from './eval-runs/operations.ts';
import * as evalRecordings from './eval-runs/recording-operations.ts';
import * as runSurfaces from './eval-runs/surface-operations.ts';
import * as evalWidgets from './eval-runs/widget-operations.ts';
import * as evalCases from './eval-suites/case-operations.ts';
import * as evalMutations from './eval-suites/mutation-operations.ts';
import * as evalSuites from './eval-suites/operations.ts';
import * as evalPlanning from './eval-suites/planning-operations.ts';
import * as gateWaivers from './gate-waivers/operations.ts';
import * as health from './health/operations.ts';
import * as home from './home/operations.ts';
import * as members from './members/operations.ts';
import * as models from './models/operations.ts';
import * as modelProviders from './models/provider-operations.ts';
import type { Operation } from './operation.ts';
import * as plugins from './plugins/operations.ts';
import * as quarantine from './quarantine/operations.ts';
import * as retention from './retention/operations.ts';
import * as scorerSecrets from './scorer-secrets/operations.ts';
import * as serverAttachments from './server-attachments/operations.ts';
import * as conformance from './servers/conformance-operations.ts';
import * as diagnostics from './servers/diagnostic-operations.ts';
import * as servers from './servers/operations.ts';
import * as sessions from './sessions/operations.ts';
import * as signIn from './sign-in/operations.ts';
import * as skills from './skills/operations.ts';
import * as spending from './spending/operations.ts';
import * as journeys from './swarms/journey-operations.ts';
import * as personas from './swarms/persona-operations.ts';
import * as swarmReadouts from './swarms/readout-operations.ts';
import * as journeyRuns from './swarms/run-operations.ts';
import * as swarms from './swarms/swarm-operations.ts';
import * as traceExports from './trace-exports/operations.ts';
import * as scenarioReadouts from './user-testing/readout-operations.ts';
import * as scenarios from './user-testing/scenario-operations.ts';
import * as visitorSessions from './user-testing/session-operations.ts';
import * as visitorRules from './user-testing/visitor-rule-operations.ts';
import * as visit from './visit/operations.ts';

export const actionOperations = {
  ...catalog,
  ...models,
  ...servers,
  ...diagnostics,
  runServerConformance: conformance.runServerConformance,
  ...clients,
  ...hosts,
  ...environments,
  ...serverAttachments,
  ...skills,
  ...plugins,
  ...evalSuites,
  ...evalCases,
  ...evalMutations,
  ...evalPlanning,
  ...evalRuns,
  ...runSurfaces,
  ...evalRecordings,
  ...evalWidgets,
  ...sessions,
  ...traceExports,
  ...evalRunGroups,
  ...gateWaivers,
  ...quarantine,
  ...evalIngest,
  ...personas,
  ...swarms,
  ...journeyRuns,
  ...journeys,
  ...swarmReadouts,
  ...visitorSessions,
  ...scenarioReadouts,
  ...scenarios,
  ...visitorRules,
  ...agent,
  ...apiKeys,
  ...members,
  ...modelProviders,
  ...scorerSecrets,
  ...chatSessions,
  ...auditLog,
  ...health,
  ...home,
  ...retention,
  ...spending,
};
export const signInOperations = { ...signIn };
export const visitOperations = { ...visit };
export const operations = { ...actionOperations, ...signInOperations, ...visitOperations };

export type ActionOperationId = keyof typeof actionOperations;
export type SignInOperationId = keyof typeof signInOperations;
export type VisitOperationId = keyof typeof visitOperations;
export type OperationId = keyof typeof operations;

export const allOperations: readonly Operation[] = Object.values(operations);
