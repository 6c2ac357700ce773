import { assertionKinds } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { openApiDocument } from './openapi.ts';
import { allOperations } from './operations.ts';

const document = openApiDocument();

test('every operation of the public surface is in the document, and none of the console’s', () => {
  const paths = document['paths'] as Record<string, Record<string, { operationId: string }>>;
  const named = Object.values(paths).flatMap((item) =>
    Object.values(item).map((o) => o.operationId),
  );
  const expected = allOperations
    .filter((row) => row.surface === 'api')
    .map((row) => row.operationId);
  expect(named.sort()).toEqual(expected.sort());
});

interface Schema {
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly discriminator?: { readonly propertyName: string; readonly mapping: object };
}
const { schemas } = document['components'] as { schemas: Record<string, Schema> };

test('a union of named shapes says by which field they differ', () => {
  const fields = Object.entries(schemas)
    .filter(([, schema]) => schema.oneOf !== undefined)
    .map(([name, schema]) => [name, schema.discriminator?.propertyName]);
  expect(Object.fromEntries(fields)).toEqual({
    EvalRunDecisionSummary: 'verdictSource',
    EvalRunDecisionCounts: 'measurementUnit',
    EvalRunDecisionCoverage: 'kind',
    EvalRunDecisionRate: 'state',
    EvalRunDecisionChain: 'status',
    EvalTestStep: 'kind',
    EvalAssertion: 'type',
    EvalWidgetAssertion: 'kind',
    EvalWidgetAction: 'kind',
    ClientSkillSelection: 'mode',
  });
  expect(schemas['EvalRunDecisionChain']?.discriminator?.mapping).toEqual({
    verified: '#/components/schemas/EvalRunDecisionChainVerified',
    unverified: '#/components/schemas/EvalRunDecisionChainUnverified',
    absent: '#/components/schemas/EvalRunDecisionChainAbsent',
  });
});

test('counts are one type, and only where they may be missing they are optional', () => {
  expect(schemas['EvalRunDecisionSummary']?.properties?.['counts']?.$ref).toBe(
    '#/components/schemas/EvalRunDecisionCounts',
  );
  expect(schemas['EvalRunDecisionSummaryPolicyV2']?.required).toContain('counts');
  expect(schemas['EvalRunDecisionSummaryLegacy']?.required).not.toContain('counts');
});

test('results may be reported to the project called default, and nothing else may', () => {
  interface Described {
    readonly operationId: string;
    readonly parameters?: readonly { name: string; description?: string; schema: object }[];
    readonly requestBody?: { readonly description: string };
  }
  const described = Object.values(document['paths'] as Record<string, Record<string, Described>>)
    .flatMap((item) => Object.values(item))
    .filter((one) => JSON.stringify(one.parameters ?? []).includes('`default`'));
  const ingestion = allOperations.filter((row) => row.ingestion).map((row) => row.operationId);
  expect(described.map((one) => one.operationId).sort()).toEqual(ingestion.sort());
  for (const one of described) expect(one.requestBody?.description).toContain('5,242,880 bytes');
});

test('every operation documents what a bad request is answered', () => {
  type Described = { readonly responses: Readonly<Record<string, { description: string }>> };
  const paths = document['paths'] as Record<string, Record<string, Described>>;
  for (const { responses } of Object.values(paths).flatMap((item) => Object.values(item))) {
    expect(responses['400']?.description).toContain('VALIDATION_ERROR');
  }
});

test('closed request shapes are closed in the document', () => {
  for (const name of [
    'ProjectCreateRequest',
    'ProjectUpdateRequest',
    'ProjectServerCreateRequest',
  ]) {
    expect(schemas[name]?.additionalProperties).toBe(false);
  }
});

test('what a step may assert is documented with every type', () => {
  const assertion = schemas['EvalAssertStep']?.properties?.['assertion'];
  expect(assertion?.anyOf?.map(({ $ref }) => $ref?.split('/').pop())).toEqual([
    'EvalAssertion',
    'EvalAssertionTemplate',
    'EvalWidgetAssertion',
  ]);
  const types = Object.keys(schemas['EvalAssertion']?.discriminator?.mapping ?? {});
  expect(types).toEqual(Object.keys(assertionKinds));
  const { args } = schemas['EvalAssertionToolCalledWith']?.properties ?? {};
  expect(args?.anyOf?.map(({ description }) => description)).toEqual([
    'The arguments and the way to compare them.',
    'The arguments alone. They are stored as args of the other form.',
  ]);
});
