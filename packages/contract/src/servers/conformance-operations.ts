/** Runs the official conformance suite of MCP against a saved server. */
import { conformanceRevisions } from '@proofmark/domain';
import * as z from 'zod';
import { defineOperation } from '../operation.ts';

const ServerConformanceRequest = z
  .strictObject({
    spec: z.enum(conformanceRevisions).optional().meta({
      description:
        'The revision of the protocol to test (default: the newest that the server speaks and the installed suite can test).',
    }),
    ifSpoken: z.literal(true).optional().meta({
      description:
        'With spec: launch nothing if the server does not speak it, and answer 422 with details.reason CONFORMANCE_REVISION.',
    }),
    scenarios: z.array(z.string().min(1).max(128)).min(1).max(200).optional().meta({
      description: 'The scenarios to play (default: those of the requirement set).',
    }),
    expectedFailures: z.array(z.string().min(1).max(400)).max(1000).optional().meta({
      description:
        'Known failures, as in the file of the suite: scenario, or scenario:check-id. An expected failure passes, and an entry that is stale fails. If given, warnings count as failures.',
    }),
  })
  .meta({ id: 'ServerConformanceRequest' });

export const ConformanceSuite = z
  .object({ name: z.string(), version: z.string() })
  .meta({ id: 'ConformanceSuite', description: 'The package, and its version that is used.' });

const ServerConformanceStarted = z
  .object({
    runId: z.string(),
    suiteId: z.string(),
    suite: ConformanceSuite,
    spec: z.enum(conformanceRevisions).meta({ description: 'The revision that is tested.' }),
    note: z.string().nullable().meta({
      description: 'Why the newest version of the suite is not used; null if it is.',
    }),
  })
  .meta({ id: 'ServerConformanceStarted' });

export const runServerConformance = defineOperation({
  operationId: 'runServerConformance',
  surface: 'api',
  method: 'POST',
  path: '/projects/{projectId}/servers/{serverId}/conformance',
  tag: 'Server diagnostics',
  summary: 'Run the official conformance suite against a server',
  description:
    'Launches a run of the suite "Conformance <revision>: <server>" with one case for each scenario and one trial for each case; read it like any run. Only for servers with an address: 422 for a stdio server. 422 with details.reason CONFORMANCE_NOT_INSTALLED if the optional package is not installed where the service runs; the message has the command that installs it. 422 with details.reason CONFORMANCE_REVISION if the installed version cannot test the revision, or the server speaks none that it can test.',
  access: 'member',
  outbound: true,
  effect: 'runs',
  body: ServerConformanceRequest,
  status: 202,
  output: ServerConformanceStarted,
  refusals: [
    'OAUTH_REQUIRED',
    'SERVER_UNREACHABLE',
    'TIMEOUT',
    'CONFLICT',
    'FEATURE_NOT_SUPPORTED',
  ],
});
