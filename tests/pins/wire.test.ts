/**
 * Pins the API as literals. If a test here fails, clients will notice the change: check that it is
 * intended.
 */
import { readFileSync } from 'node:fs';
import {
  allOperations,
  basePaths,
  errorStatus,
  publishedSchema,
  publishedSchemaNames,
  requests,
  version,
} from '@proofmark/contract';
import { openApiDocument } from '@proofmark/contract/openapi';
import {
  doctorCheckStates,
  doctorChecks,
  doctorConnectionStates,
  doctorStatuses,
  eras,
  headerFaultReasons,
  idPrefixes,
  keyScopes,
  organizationRoles,
  projectTiers,
  protocolRevisions,
  revisionRules,
  revisionStates,
  transportTypes,
} from '@proofmark/domain';
import { expect, test } from 'vitest';

test('the error codes and their status', () => {
  expect(errorStatus).toEqual({
    UNAUTHORIZED: 401,
    OAUTH_REQUIRED: 401,
    FORBIDDEN: 403,
    VALIDATION_ERROR: 400,
    NOT_FOUND: 404,
    CONFLICT: 409,
    FEATURE_NOT_SUPPORTED: 422,
    RATE_LIMITED: 429,
    SERVER_UNREACHABLE: 502,
    TIMEOUT: 504,
    INTERNAL_ERROR: 500,
  });
});

test('all packages and the API say one version', () => {
  for (const name of [
    '.',
    ...['cli', 'client', 'console', 'contract', 'domain', 'server'].map((one) => `packages/${one}`),
  ]) {
    const file = new URL(`../../${name}/package.json`, import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(version);
  }
});

test('the closed vocabularies', () => {
  expect(organizationRoles).toEqual(['owner', 'admin', 'member']);
  expect(projectTiers).toEqual(['member', 'manage', 'admin']);
  expect(keyScopes).toEqual(['full', 'run-only', 'read-only']);
  expect(transportTypes).toEqual(['http', 'stdio']);
  expect(doctorStatuses).toEqual(['ready', 'oauth_required', 'partial', 'error']);
  expect(doctorConnectionStates).toEqual(['connected', 'error', 'skipped']);
  expect(doctorCheckStates).toEqual(['ok', 'error', 'skipped']);
  expect(doctorChecks).toEqual([
    ...['probe', 'connection', 'initialization', 'capabilities'],
    ...['tools', 'resources', 'resourceTemplates', 'prompts'],
  ]);
  expect(protocolRevisions).toEqual([
    ...['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
  ]);
  expect(eras).toEqual(['legacy', 'modern']);
  expect(revisionStates).toEqual(['spoken', 'refused', 'broken']);
  expect(revisionRules).toEqual([
    ...['result-type-missing', 'ttl-missing', 'ttl-negative', 'cache-scope'],
    ...['list-order-unstable', 'version-error', 'server-info-missing', 'completion'],
    ...['annotations', 'header-parameter-invalid'],
  ]);
  expect(headerFaultReasons).toEqual([
    ...['empty', 'notToken', 'duplicate', 'notPrimitive', 'notReachable'],
  ]);
  expect(idPrefixes).toEqual({
    account: 'acc',
    apiKey: 'key',
    artifact: 'art',
    chatSession: 'cht',
    chatTurn: 'ctn',
    client: 'cli',
    criterion: 'crt',
    environment: 'env',
    evalCase: 'cas',
    evalIteration: 'itr',
    evalRun: 'run',
    evalSuite: 'ste',
    gateWaiver: 'wvr',
    invitation: 'inv',
    journey: 'jny',
    modelProvider: 'mdp',
    mutation: 'mut',
    organization: 'org',
    persona: 'per',
    plugin: 'plg',
    pluginVersion: 'plv',
    project: 'prj',
    quarantineEntry: 'qrn',
    server: 'srv',
    serverAttachment: 'grp',
    skill: 'skl',
    skillVersion: 'skv',
    swarm: 'swm',
    journeyRun: 'jrn',
    wave: 'wav',
    approval: 'apv',
    scenario: 'scn',
    scenarioGrant: 'sgr',
    scenarioMember: 'mem',
    visitor: 'vis',
    visitorTurn: 'trn',
    window: 'win',
  });
});

test('the API document is the one in docs/reference; npm run generate writes it anew', () => {
  const file = new URL('../../docs/reference/openapi.json', import.meta.url);
  expect(openApiDocument()).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});

test('the requests that the client makes are those of the rows; npm run generate writes them anew', () => {
  const ofRows = allOperations.map((row) => [
    row.operationId,
    `${row.method} ${basePaths[row.surface]}${row.path}`,
  ]);
  expect(requests).toEqual(Object.fromEntries(ofRows));
});

test('the published schemas keep their names and are those in docs/reference', () => {
  expect(publishedSchemaNames).toEqual([
    'eval-run-decision-summary.v1.json',
    'verdict-policy.v2.json',
    'scorer-request.v1.json',
    'scorer-answer.v1.json',
  ]);
  for (const name of publishedSchemaNames) {
    const file = new URL(`../../docs/reference/${name}`, import.meta.url);
    expect(publishedSchema(name)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  }
});
