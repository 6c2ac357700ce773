import * as z from 'zod';
import { defineOperation } from '../operation.ts';
import * as authoring from './authoring-shapes.ts';
import { largestRowsBytes } from './case-shapes.ts';
import { EvalSuiteHistory } from './history-shapes.ts';
import * as shapes from './shapes.ts';

const tag = 'Eval suites';
const path = '/projects/{projectId}/eval-suites';

export const listEvalSuites = defineOperation({
  operationId: 'listEvalSuites',
  surface: 'api',
  method: 'GET',
  path,
  tag,
  summary: 'List the eval suites of a project',
  description: 'Newest first, each with its latest run.',
  access: 'member',
  page: { defaultLimit: 200, cursorParameter: 'cursor' },
  status: 200,
  output: shapes.EvalSuitePage,
});

export const createEvalSuite = defineOperation({
  operationId: 'createEvalSuite',
  surface: 'api',
  method: 'POST',
  path,
  tag,
  summary: 'Author a suite with its cases',
  description: 'No run is started. Either all cases are written or none.',
  access: 'member',
  body: authoring.EvalSuiteCreateRequest,
  largestBodyBytes: 1_000_000 + largestRowsBytes,
  slow: true,
  status: 201,
  output: authoring.EvalSuiteCreated,
});

export const importEvalSuite = defineOperation({
  operationId: 'importEvalSuite',
  surface: 'api',
  method: 'POST',
  path: `${path}/import`,
  tag,
  summary: 'Import a suite file',
  description:
    'Replaces the suite of the project that was imported with the same suite id, and all its cases. Servers are found by their names, or by the ids in the request.',
  access: 'member',
  body: authoring.EvalSuiteImportRequest,
  // In bytes. A suite file has at most 1 MiB, but may more than double as a JSON string. The rows
  // of its data files are added.
  largestBodyBytes: 3 * 1024 * 1024 + 2 * largestRowsBytes,
  // Slow, because the file is queued and then parsed in a thread with its own time limit.
  slow: true,
  status: 201,
  output: authoring.EvalSuiteImported,
  refusals: ['CONFLICT'],
});

export const getEvalSuite = defineOperation({
  operationId: 'getEvalSuite',
  surface: 'api',
  method: 'GET',
  path: `${path}/{suiteId}`,
  tag,
  summary: 'Read a suite',
  description: 'The settings, servers and environments of the suite, without its cases.',
  access: 'member',
  status: 200,
  output: authoring.EvalSuiteDetail,
});

export const updateEvalSuite = defineOperation({
  operationId: 'updateEvalSuite',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{suiteId}`,
  tag,
  summary: 'Edit a suite',
  description: 'Runs that were already launched keep their settings.',
  access: 'member',
  body: authoring.EvalSuiteUpdateRequest,
  status: 200,
  output: authoring.EvalSuiteUpdated,
  refusals: ['CONFLICT'],
});

export const deleteEvalSuite = defineOperation({
  operationId: 'deleteEvalSuite',
  surface: 'api',
  method: 'DELETE',
  path: `${path}/{suiteId}`,
  tag,
  summary: 'Delete a suite',
  description:
    'Deletes the suite with its cases and all its runs. Allowed for the creator of the suite and for members with manage; not while a run is in progress, nor within 24 hours of the last results of an open reported run.',
  access: 'member',
  slow: true,
  status: 200,
  output: authoring.EvalDeleted,
  refusals: ['CONFLICT'],
});

export const updateEvalSuiteSchedule = defineOperation({
  operationId: 'updateEvalSuiteSchedule',
  surface: 'api',
  method: 'PATCH',
  path: `${path}/{suiteId}/schedule`,
  tag,
  summary: 'Switch scheduled runs of a suite on or off',
  description:
    'environmentId pins the environment of the runs; it is required if several are attached. Send an interval or a calendar; one replaces the other. The first run starts after one interval, or at the next time of the calendar.',
  access: 'member',
  body: authoring.EvalSuiteScheduleRequest,
  status: 200,
  output: authoring.EvalSuiteDetail,
});

export const attachEvalSuiteEnvironment = defineOperation({
  operationId: 'attachEvalSuiteEnvironment',
  surface: 'api',
  method: 'POST',
  path: `${path}/{suiteId}/environments`,
  tag,
  summary: 'Attach an environment to a suite',
  description:
    'The environments that are already attached stay. Attaching one again has no effect.',
  access: 'member',
  body: authoring.EvalSuiteEnvironmentAttachRequest,
  status: 200,
  output: authoring.EvalSuiteEnvironmentAttached,
});

export const exportEvalSuite = defineOperation({
  operationId: 'exportEvalSuite',
  surface: 'api',
  method: 'GET',
  path: `${path}/{suiteId}/export`,
  tag,
  summary: 'Export a suite as a suite file',
  description:
    'The same suite always gives the same bytes. 409 if a file cannot represent the suite.',
  access: 'member',
  query: z.strictObject({ format: z.enum(['yaml', 'json']).optional() }),
  status: 200,
  output: authoring.EvalSuiteExported,
  refusals: ['CONFLICT'],
});

export const getEvalSuiteHistory = defineOperation({
  operationId: 'getEvalSuiteHistory',
  surface: 'console',
  method: 'GET',
  path: `${path}/{suiteId}/history`,
  tag,
  summary: 'Read the results of a suite and its cases over the last runs',
  description:
    'The last ended runs, each with the interval of its pass rate, and the results of each case in them.',
  access: 'member',
  status: 200,
  output: EvalSuiteHistory,
});
